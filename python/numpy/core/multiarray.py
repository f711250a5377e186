"""numpy.core.multiarray: names that pickled arrays are rebuilt by."""

from numpy import array
from numpy._pickled import reconstruct as _reconstruct, scalar

__all__ = ["_reconstruct", "array", "scalar"]
