"""class TensorBase: the lifetime and the geometry of one engine tensor, as torch._C.TensorBase has them in PyTorch."""

from __future__ import annotations

from _weakref import getweakrefcount as _weak_count
from typing import TYPE_CHECKING

from . import _C
from ._memory_formats import channels_lie_last
from ._storage import TypedStorage, UntypedStorage
from ._types import DEVICES, DTYPES, GEOMETRIES, LAYOUTS, Size

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self

    import torch
    from torch import Tensor
    from torch._types import memory_format


_here = _C.here
_live = _C._live


_MOST_GEOMETRIES = 4096


def _read_geometry(text):
    dt, dev, offset, sizes, strides = text.split("|")
    m = (
        Size(map(int, sizes.split(","))) if sizes else Size(),
        tuple(map(int, strides.split(","))) if strides else (),
        DTYPES[dt],
        DEVICES[dev],
        int(offset),
    )
    if len(GEOMETRIES) == _MOST_GEOMETRIES:
        GEOMETRIES.clear()
    GEOMETRIES[text] = m
    return m


class TensorMeta(type):
    """Metaclass of Tensor, so that subclasses may say what an instance is."""

    def __call__(cls, *args: Tensor | bool, **attributes: bool) -> torch.nn.Parameter:
        # libraries make a parameter anew with the attributes of an old one: PyTorch keeps none of its own among them
        if "_h" in attributes:
            del attributes["_h"]
            attributes.pop("_m", None)
        return type.__call__(cls, *args, **attributes)


_C._TensorMeta = TensorMeta


class _Release:
    """Gives a tensor's handle back when it dies itself."""

    __slots__ = ("handle", "line")

    def __init__(self, handle: Any, line: Any) -> None:
        self.handle, self.line = handle, line

    def __del__(self) -> None:
        _C._release(self.handle, self.line)


class TensorBase(metaclass=TensorMeta):
    """The body of a tensor. `_h` is the engine's handle; `_m` caches the geometry until it may have changed."""

    _m = None
    _h = 0
    is_sparse = False
    is_sparse_csr = False
    is_quantized = False
    is_mkldnn = False
    is_nested = False
    is_mps = False
    is_xpu = False
    names = None
    layout = LAYOUTS[0]

    def __del__(self) -> None:
        h = self._h
        if h:
            known = _live.pop(h, None)
            if known is not None:
                other = known()
                # the collector clears weak references early, and then the handle may have a new wrapper
                if other is not None and other is not self:
                    _live[h] = known
            if _weak_count(self) > 1:
                # callbacks of weak references run after this and before the memory goes
                self._m = _Release(h, _here())
            elif not _C._release_quietly(h):
                # where it was is looked up only for what ends here
                _C._release(h, _here())

    # --- geometry

    def _meta(self):
        m = self._m
        if m is None:
            text = _C._js.meta(self._h)
            sizes, strides, *rest = GEOMETRIES.get(text) or _read_geometry(text)
            # objects of its own, as in PyTorch: a pickle writes one that it has met before shorter
            m = self._m = (Size(sizes), (*strides,), *rest)
        return m

    @property
    def shape(self) -> torch.Size:
        m = self._m
        return (m or self._meta())[0]

    @property
    def dtype(self) -> torch.dtype:
        return (self._m or self._meta())[2]

    @property
    def device(self) -> torch.device:
        return (self._m or self._meta())[3]

    def size(self, dim: int | None = None) -> torch.Size | int:
        shape = self.shape
        if dim is None:
            return shape
        try:
            return tuple.__getitem__(shape, dim)
        except IndexError:
            n = max(len(shape), 1)
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})"
            ) from None

    def stride(self, dim: int | None = None) -> tuple[int, ...] | int:
        strides = self._meta()[1]
        return strides if dim is None else strides[dim]

    def dim(self) -> int:
        return len(self.shape)

    ndimension = dim

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def numel(self) -> int:
        n = 1
        for s in self.shape:
            n *= s
        return n

    nelement = numel

    def element_size(self) -> int:
        return self.dtype.itemsize

    @property
    def itemsize(self) -> Any:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.numel() * self.dtype.itemsize

    def storage_offset(self) -> int:
        return self._meta()[4]

    def data_ptr(self) -> int:
        return _C._js.storageId(self._h) + self.storage_offset() * self.itemsize if self.numel() else 0

    def untyped_storage(self) -> torch.UntypedStorage:
        return UntypedStorage(self)

    def storage(self) -> TypedStorage:
        return TypedStorage(self)

    _typed_storage = storage

    def get_device(self) -> int:
        return self.device.place if self.is_cuda else -1

    @property
    def is_cuda(self) -> bool:
        return self.device.type == "cuda"

    @property
    def is_cpu(self) -> Any:
        return self.device.type == "cpu"

    @property
    def is_meta(self) -> bool:
        return self.device.type == "meta"

    def is_contiguous(self, memory_format: torch.memory_format | None = None) -> bool:
        if memory_format is None or memory_format.name == "contiguous_format":
            return _C._js.isContiguous(self._h)
        if memory_format.name == "preserve_format":
            raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
        return channels_lie_last(self, 5 if memory_format.name == "channels_last_3d" else 4)

    def is_floating_point(self) -> bool:
        return self.dtype.is_floating_point

    def is_complex(self) -> bool:
        return self.dtype.is_complex

    def is_signed(self) -> bool:
        return self.dtype.is_signed

    def is_pinned(self, device: torch.device | str | int | None = None) -> bool:
        return False

    def is_shared(self) -> bool:
        return False

    def is_inference(self) -> bool:
        return _C._js.isInference(self._h)

    def is_same_size(self, other: Tensor) -> bool:
        return self.shape == other.shape

    def is_set_to(self, other: Tensor) -> bool:
        return _C._js.sameStorage(self._h, other._h) and self._meta() == other._meta()

    def is_nonzero(self) -> bool:
        return bool(self)

    # --- in-place changes of geometry

    def _take_geometry(self, view):
        _C._js.adoptGeometry(self._h, view._h)
        self._m = None
        return self

    def t_(self) -> Tensor:
        return self._take_geometry(self.t())

    def transpose_(self, a: Any, b: Any) -> Tensor:
        return self._take_geometry(self.transpose(a, b))

    def squeeze_(self, *dim: int) -> Tensor:
        return self._take_geometry(self.squeeze(*dim))

    def unsqueeze_(self, dim: int) -> Tensor:
        return self._take_geometry(self.unsqueeze(dim))

    def resize_(self, *sizes: int, memory_format: memory_format | None = None) -> Tensor:
        sizes = sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes
        r = _C._js.resize(self._h, _here(), *sizes)
        self._m = None
        if r is not None:
            _C.fail(r)
        return self

    def resize_as_(self, other: Tensor) -> Tensor:
        return self.resize_(other.shape)

    def set_(
        self,
        source: Tensor | torch.UntypedStorage | torch.TypedStorage | None = None,
        storage_offset: int = 0,
        size: Sequence[int] | None = None,
        stride: Sequence[int] | None = None,
    ) -> Tensor:
        if source is None:
            source = self.new_empty(0)
        if isinstance(source, UntypedStorage):
            source = source._tensor
        if size is not None:
            source = source.as_strided(size, stride or row_major(size), storage_offset)
        _C._js.setData(self._h, source._h, _here(), True)
        self._m = None
        return self

    def share_memory_(self) -> Self:
        return self

    def pin_memory(self, device: torch.device | str | int | None = None) -> Tensor:
        return self

    def record_stream(self, stream: torch.cuda.Stream) -> None:
        _C._js.recordStream(self._h, stream.stream_id)


def row_major(size: int | Sequence[int]) -> Any:
    strides, step = [], 1
    for s in reversed(size):
        strides.append(step)
        step *= max(s, 1)
    return strides[::-1]


TensorBase.__module__ = "torch._C"
