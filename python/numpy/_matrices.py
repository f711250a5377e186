"""class matrix: an array of two dimensions whose `*` is the product of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._array import ndarray
from ._make import asarray
from ._products import matmul

if TYPE_CHECKING:
    from typing import Any, Self

    from numpy.typing import ArrayLike, DTypeLike


class matrix(ndarray):
    def __init__(self, data: Any, dtype: DTypeLike = None, copy: bool = True) -> None:
        if isinstance(data, str):
            data = [
                [float(v) if "." in v else int(v) for v in row.split()] for row in data.replace(",", " ").split(";")
            ]
        array = asarray(data, dtype)
        if array.ndim > 2:
            raise ValueError("matrix must be 2-dimensional")
        shape = array.shape if array.ndim == 2 else (1, array.size)
        ndarray.__init__(self, shape, array.dtype, array._values)

    A = property(lambda self: self.__array__())
    A1 = property(lambda self: self.A.reshape(-1))
    T = property(lambda self: matrix(self.A.transpose()))
    H = property(lambda self: matrix(self.A.transpose().conj()))

    @property
    def I(self) -> matrix:  # noqa: E743 - NumPy's name of the inverse
        from .linalg import inv

        return matrix(inv(self.A))

    def getA(self) -> ndarray:
        return self.A

    def __array__(self, kind: str | None = None, copy: Any = None) -> ndarray:
        plain = ndarray(self.shape, self.dtype, self._values)
        return plain if kind is None else plain.astype(kind)

    def __mul__(self, other: Any) -> Self | matrix:
        return matrix(self.A * other if not getattr(asarray(other), "ndim", 0) else matmul(self.A, asarray(other)))

    def __rmul__(self, other: Any) -> matrix:
        return matrix(other * self.A if not getattr(asarray(other), "ndim", 0) else matmul(asarray(other), self.A))

    def __pow__(self, power: int) -> matrix:
        from .linalg import matrix_power

        return matrix(matrix_power(self.A, power))


def asmatrix(data: ArrayLike, dtype: DTypeLike = None) -> matrix:
    return data if isinstance(data, matrix) and dtype is None else matrix(data, dtype)


mat = asmatrix


def bmat(obj: Any, *_: Any, **__: Any) -> matrix:
    from ._arrange import block

    return matrix(obj if isinstance(obj, str) else block([list(row) for row in obj]))
