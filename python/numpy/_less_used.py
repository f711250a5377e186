"""Names that libraries ask NumPy for while they are imported, and short forms of functions that are elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ._array import ndarray
from ._arrange import broadcast_arrays
from ._dtypes import complex128, dtype, float64, generic, issubdtype, result_type
from ._dtypes import complexfloating, floating, integer, signedinteger, unsignedinteger, number, bool_
from ._flat import flatiter as flatiter
from ._make import asarray, linspace, zeros
from ._math import bitwise_not, left_shift, right_shift
from ._reduce import _all, cumsum, unique
from ._statistics import cumprod, digitize

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike, DTypeLike

bitwise_invert, bitwise_left_shift, bitwise_right_shift = bitwise_not, left_shift, right_shift


class flexible(generic):
    """What texts and records are."""


class void(flexible):
    _python, _kind, _itemsize = bytes, "V", 1


class record(void):
    """One row of a structured array; structured arrays are not simulated."""


class recarray(ndarray):
    """A structured array by its attributes; only the class is here."""


def asfortranarray(a: ArrayLike, dtype: DTypeLike = None) -> ndarray:
    return asarray(a, dtype)


def asfarray(a: ArrayLike, dtype: DTypeLike = float64) -> ndarray:
    return asarray(a, dtype)


def asarray_chkfinite(a: ArrayLike, dtype: DTypeLike = None, order: str | None = None) -> ndarray:
    from ._math import isfinite

    array = asarray(a, dtype)
    if array.dtype.kind in "fc" and not _all(isfinite(array)):
        raise ValueError("array must not contain infs or NaNs")
    return array


def astype(x: ndarray, dtype: DTypeLike, /, *, copy: bool = True, device: str | None = None) -> ndarray:
    return x.astype(dtype)


def array_equiv(a1: ArrayLike, a2: ArrayLike) -> bool:
    try:
        left, right = broadcast_arrays(a1, a2)
    except ValueError:
        return False
    return bool(_all(left == right))


class broadcast:
    """The shape that arrays have together."""

    def __init__(self, *arrays: Any) -> None:
        self.iters = broadcast_arrays(*arrays)
        self.shape, self.nd = self.iters[0].shape, self.iters[0].ndim
        self.ndim, self.size = self.nd, self.iters[0].size

    def __iter__(self) -> Any:
        return zip(*(a.reshape(-1) for a in self.iters))


def common_type(*arrays: Any) -> type:
    found = result_type(*(a.dtype for a in arrays))
    return found.type if found.kind in "fc" else complex128 if any(a.dtype.kind == "c" for a in arrays) else float64


def cumulative_sum(x: ArrayLike, /, *, axis: int | None = None, dtype: DTypeLike = None, **_: Any) -> Any:
    return cumsum(x, axis, dtype)


def cumulative_prod(x: ArrayLike, /, *, axis: int | None = None, dtype: DTypeLike = None, **_: Any) -> Any:
    return cumprod(x, axis, dtype)


def histogram_bin_edges(a: ArrayLike, bins: Any = 10, range: Any = None, weights: ArrayLike = None) -> ndarray:
    from ._statistics import histogram

    return histogram(a, bins, range)[1]


def histogramdd(sample: ArrayLike, bins: Any = 10, range: Any = None, density: bool = False, **_: Any) -> tuple:
    """Counts of rows by the cell of each of their numbers."""
    rows = asarray(sample)
    n = rows.shape[1]
    edges = []
    for axis, bins_of_row in zip(rows.T, [bins] * n if isinstance(bins, int) else bins):
        edges.append(
            linspace(axis.min(), axis.max(), bins_of_row + 1) if isinstance(bins_of_row, int) else asarray(bins_of_row)
        )
    found = zeros([len(e) - 1 for e in edges])
    cells = [digitize(axis, e) - 1 for axis, e in zip(rows.T, edges)]
    for place in zip(*(c.read() for c in cells)):
        at = tuple(min(p, len(e) - 2) for p, e in zip(place, edges))
        if all(p >= 0 for p in at):
            found[at] = found[at] + 1
    return found, edges


_KINDS = {
    "bool": bool_, "signed integer": signedinteger, "unsigned integer": unsignedinteger, "integral": integer,
    "real floating": floating, "complex floating": complexfloating, "numeric": number,
}  # fmt: skip


def isdtype(dtype: DTypeLike, kind: Any) -> bool:
    return any(issubdtype(dtype, _KINDS.get(k, k)) for k in (kind if isinstance(kind, tuple) else (kind,)))


def mintypecode(typechars: Any, typeset: str = "GDFgdf", default: str = "d") -> str:
    found = [c for c in typechars if c in typeset]
    return min(found, key="gdfGDF"[::-1].find) if found else default


def typename(char: str) -> str:
    return dtype(char).name


def sort_complex(a: ArrayLike) -> ndarray:
    array = asarray(a).astype("complex128")
    return asarray(sorted(array.read(), key=lambda v: (v.real, v.imag)), "complex128")


class _Counts(NamedTuple):
    values: ndarray
    counts: ndarray


class _Inverse(NamedTuple):
    values: ndarray
    inverse_indices: ndarray


class _All(NamedTuple):
    values: ndarray
    indices: ndarray
    inverse_indices: ndarray
    counts: ndarray


def unique_values(x: ArrayLike) -> ndarray:
    return unique(x)


def unique_counts(x: ArrayLike) -> _Counts:
    return _Counts(*unique(x, return_counts=True))


def unique_inverse(x: ArrayLike) -> _Inverse:
    values, inverse = unique(x, return_inverse=True)
    return _Inverse(values, asarray(inverse).reshape(asarray(x).shape))


def unique_all(x: ArrayLike) -> _All:
    values, first, inverse, counts = unique(x, return_index=True, return_inverse=True, return_counts=True)
    return _All(values, first, asarray(inverse).reshape(asarray(x).shape), counts)


def get_include() -> str:
    return "/lib/vramscope/numpy/_core/include"


def getbufsize() -> int:
    return 8192


def setbufsize(size: int) -> int:
    return 8192


def geterrcall() -> None:
    return None


def seterrcall(func: Any) -> None:
    return None


def show_runtime() -> None:
    """Nothing is configured."""


def info(*_: Any, **__: Any) -> None:
    """The documentation is not here."""
