"""einops over torch tensors: patterns become reshape, permute, reduce, expand, reshape, in that order."""

__version__ = "0.8.1"


class EinopsError(RuntimeError):
    """A pattern that makes no sense, or does not fit the tensor."""


from .operations import einsum, parse_shape, rearrange, reduce, repeat  # noqa: E402
from .packing import pack, unpack  # noqa: E402

__all__ = ["EinopsError", "einsum", "pack", "parse_shape", "rearrange", "reduce", "repeat", "unpack"]
