"""torch.fft: transforms that the op table has."""

from . import _C


def __getattr__(name):
    if hasattr(type(_C.ops), "fft_" + name):
        return getattr(_C.ops, "fft_" + name)
    raise AttributeError(f"vramscope has no row for torch.fft.{name}")
