"""numpy.core.multiarray: names that pickled arrays are rebuilt by."""

from numpy import array, dtype, ndarray


def _reconstruct(subtype, shape, kind):
    return ndarray(shape, "uint8")


def scalar(kind, value=None):
    return dtype(kind).type(0)


__all__ = ["_reconstruct", "array", "scalar"]
