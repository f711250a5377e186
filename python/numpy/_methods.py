"""Functions that are an array's methods or say what kind it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._dtypes import dtype, generic, result_type
from ._make import array, asarray
from ._math import imag

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import ArrayLike, DTypeLike
    from numpy import ndarray


def reshape(a: ArrayLike, shape: int | Sequence[int], order: str = "C") -> ndarray:
    return asarray(a).reshape(shape)


def transpose(a: ArrayLike, axes: Sequence[int] | None = None) -> ndarray:
    return asarray(a).transpose(*(axes or ()))


def swapaxes(a: ArrayLike, axis1: Any, axis2: Any) -> Any:
    return asarray(a).swapaxes(axis1, axis2)


def squeeze(a: ArrayLike, axis: int | None = None) -> Any:
    return asarray(a).squeeze(axis)


def ravel(a: ArrayLike, order: str = "C") -> ndarray:
    return asarray(a).reshape(-1)


def copy(a: ArrayLike) -> Any:
    return array(a)


def shape(a: ArrayLike) -> Any:
    return asarray(a).shape


def ndim(a: ArrayLike) -> Any:
    return asarray(a).ndim


def size(a: ArrayLike) -> Any:
    return asarray(a).size


def iscomplex(x: ArrayLike) -> Any:
    return imag(x) != 0


def isreal(x: ArrayLike) -> Any:
    return imag(x) == 0


def can_cast(from_: Any, to: Any, casting: str = "safe") -> Any:
    return result_type(dtype(from_), dtype(to)) == dtype(to)


def promote_types(type1: Any, type2: Any) -> Any:
    return result_type(type1, type2)


def min_scalar_type(a: ArrayLike) -> Any:
    return asarray(a).dtype


def require(a: ArrayLike, dtype: DTypeLike = None, requirements: Any = None) -> Any:
    return asarray(a, dtype)


def may_share_memory(a: ArrayLike, b: ArrayLike, **_: Any) -> bool:
    return a is b


def iterable(y: ArrayLike) -> bool:
    return hasattr(y, "__iter__")


def from_dlpack(x: ArrayLike, /, **_: Any) -> Any:
    return asarray(x)


def isfortran(a: ArrayLike) -> bool:
    return False


def show_config(*_: Any, **__: Any) -> None:
    """Nothing is configured."""


def isscalar(value: ArrayLike) -> bool:
    return isinstance(value, (int, float, complex, str, generic))
