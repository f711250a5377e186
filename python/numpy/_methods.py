"""Functions that are an array's methods or say what kind it is."""

from ._dtypes import dtype, float64, generic, result_type
from ._make import array, asarray
from ._math import imag


def reshape(a, shape, order="C"):
    return asarray(a).reshape(shape)


def transpose(a, axes=None):
    return asarray(a).transpose(*(axes or ()))


def swapaxes(a, axis1, axis2):
    return asarray(a).swapaxes(axis1, axis2)


def squeeze(a, axis=None):
    return asarray(a).squeeze(axis)


def ravel(a, order="C"):
    return asarray(a).reshape(-1)


def copy(a):
    return array(a)


def shape(a):
    return asarray(a).shape


def ndim(a):
    return asarray(a).ndim


def size(a):
    return asarray(a).size


def iscomplex(x):
    return imag(x) != 0


def isreal(x):
    return imag(x) == 0


def can_cast(from_, to, casting="safe"):
    return result_type(dtype(from_), dtype(to)) == dtype(to)


def promote_types(type1, type2):
    return result_type(type1, type2)


def min_scalar_type(a):
    return asarray(a).dtype


def asfarray(a, dtype=float64):
    return asarray(a, dtype)


def require(a, dtype=None, requirements=None):
    return asarray(a, dtype)


def may_share_memory(a, b, **_):
    return a is b


def iterable(y):
    return hasattr(y, "__iter__")


def from_dlpack(x, /, **_):
    return asarray(x)


def isfortran(a):
    return False


def show_config(*_, **__):
    """Nothing is configured."""


def isscalar(value):
    return isinstance(value, (int, float, complex, str, generic))


def set_printoptions(*args, **kwargs):
    """Arrays are always printed in full, or not at all."""
