"""class UntypedStorage: the memory behind a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self

    import torch
    from torch import Tensor


class UntypedStorage:
    """The memory behind a tensor."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def nbytes(self) -> int:
        return _C._js.storageBytes(self._tensor._h)

    def size(self) -> int:
        return self.nbytes()

    __len__ = nbytes

    def data_ptr(self) -> int:
        return _C._js.storageId(self._tensor._h)

    def resize_(self, nbytes: int) -> Self:
        r = _C._js.resizeStorage(self._tensor._h, nbytes, _C.here())
        if r is not None:
            _C.fail(r)
        return self

    @property
    def device(self) -> torch.device:
        return self._tensor.device

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UntypedStorage) and _C._js.sameStorage(self._tensor._h, other._tensor._h)

    def __hash__(self) -> int:
        return hash(self.data_ptr())


class TypedStorage(UntypedStorage):
    """The same memory, counted in numbers of the tensor's type."""

    @property
    def dtype(self) -> torch.dtype:
        return self._tensor.dtype

    def size(self) -> int:
        return self.nbytes() // self._tensor.element_size()

    __len__ = size

    def resize_(self, size: int) -> Self:
        return super().resize_(size * self._tensor.element_size())

    def untyped(self) -> UntypedStorage:
        return UntypedStorage(self._tensor)

    def _numbers(self) -> Tensor:
        return self._tensor.detach().as_strided((self.size(),), (1,), 0)

    def tolist(self) -> list:
        return self._numbers().tolist()

    def __getitem__(self, index: int | slice) -> Any:
        found = self._numbers()[index]
        return found.tolist()

    def __iter__(self) -> Iterator:
        return iter(self.tolist())
