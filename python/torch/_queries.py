"""Questions about a tensor that Python answers without an op."""

from . import _C
from ._tensor import Tensor


def is_tensor(obj):
    return isinstance(obj, Tensor)


def is_storage(obj):
    return False


@_C.compiled
def is_floating_point(input):
    return input.dtype.is_floating_point


@_C.compiled
def is_complex(input):
    return input.dtype.is_complex


@_C.compiled
def is_conj(input):
    """Whether values are conjugated only when they are read."""
    return input.is_complex() and _C._js.isUnresolved(input._h)


@_C.compiled
def is_neg(input):
    return not input.is_complex() and _C._js.isUnresolved(input._h)


@_C.compiled
def is_nonzero(input):
    return bool(input)


@_C.compiled
def numel(input):
    return input.numel()


@_C.compiled
def is_same_size(input, other):
    return input.shape == other.shape


@_C.compiled
def is_inference(input):
    return input.is_inference()


METHODS = ("is_conj", "is_neg")
