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

    @property
    def _cdata(self) -> int:
        return self.data_ptr()

    def cpu(self) -> Self:
        return type(self)(self._tensor.cpu())

    def cuda(self, device: torch.device | str | int | None = None) -> Self:
        return type(self)(self._tensor.cuda(device))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UntypedStorage) and _C._js.sameStorage(self._tensor._h, other._tensor._h)

    def __hash__(self) -> int:
        return hash(self.data_ptr())


class TypedStorage(UntypedStorage):
    """The same memory, counted in numbers of the tensor's type."""

    _kind: torch.dtype | None = None  # of a class that has one

    def __init__(
        self,
        tensor: Tensor | None = None,
        *,
        wrap_storage: UntypedStorage | None = None,
        dtype: torch.dtype | None = None,
        device: Any = None,
        _internal: bool = False,
    ) -> None:
        if tensor is None:
            import torch

            place = device if wrap_storage is None else wrap_storage.device
            tensor = torch.empty(0, dtype=dtype or self._kind, device=place)
            if wrap_storage is not None:
                held = wrap_storage._tensor
                numbers = held.view(tensor.dtype) if held.dtype != tensor.dtype else held
                tensor.set_(numbers.flatten())
        super().__init__(tensor)

    @property
    def _untyped_storage(self) -> UntypedStorage:
        return self.untyped()

    def _pickle_storage_type(self) -> str:
        from ._records import storage_name

        return storage_name(self.dtype)

    def _size(self) -> int:
        return self.size()

    def __reduce__(self) -> tuple:
        from .serialization import rebuild_storage

        return rebuild_storage, (self.size(), self.dtype, str(self.device))

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
