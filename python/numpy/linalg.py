"""numpy.linalg: norm."""

import math

from torch._stand_ins import lacks

from ._array import missing
from ._make import asarray
from ._reduce import _reduced

__getattr__ = lacks("numpy.linalg")


def norm(x, ord=None, axis=None, keepdims=False):
    """The Euclidean norm of all values, or along an axis."""
    if ord not in (None, 2, "fro"):
        missing(f"numpy.linalg.norm with ord={ord!r}")
    x = asarray(x)
    kind = x.dtype if x.dtype.kind == "f" else "float64"
    return _reduced("norm", lambda v: math.sqrt(math.fsum(abs(t) ** 2 for t in v)), x, axis, keepdims, kind, 0.0)
