"""class UntypedStorage: the memory behind a tensor."""

from . import _C


class UntypedStorage:
    """The memory behind a tensor."""

    def __init__(self, tensor):
        self._tensor = tensor

    def nbytes(self):
        return _C._js.storageBytes(self._tensor._h)

    def size(self):
        return self.nbytes()

    __len__ = nbytes

    def data_ptr(self):
        return _C._js.storageId(self._tensor._h)

    def resize_(self, nbytes):
        r = _C._js.resizeStorage(self._tensor._h, nbytes, _C.here())
        if r is not None:
            _C.fail(r)
        return self

    @property
    def device(self):
        return self._tensor.device

    def __eq__(self, other):
        return isinstance(other, UntypedStorage) and _C._js.sameStorage(self._tensor._h, other._tensor._h)

    def __hash__(self):
        return hash(self.data_ptr())
