"""numpy.lib: parts of NumPy by their old places."""

from torch._stand_ins import lacks

from . import stride_tricks

__all__ = ["stride_tricks"]
__getattr__ = lacks("numpy.lib")
