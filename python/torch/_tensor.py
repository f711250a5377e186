"""class Tensor: geometry, gradient and lifetime of one engine tensor; operators come from the op table."""

from _weakref import getweakrefcount as _weak_count

from . import _C, _defaults
from ._memory_formats import channels_lie_last
from ._types import (
    ALIASES,
    DEVICES,
    DTYPES,
    FORMATS,
    LAYOUTS,
    Size,
    device as _device_type,
    dtype as _dtype_type,
    memory_format,
)

ops = _C.ops
_here = _C.here
_live = _C._live


def _unknown(tensor):
    """What is said where a program reads a value that nobody knows."""
    return "unknown_value" if tensor.device.type == "cuda" else "unknown_host_value"


class TensorMeta(type):
    """Metaclass of Tensor, so that subclasses may say what an instance is."""


class _Release:
    """Gives a tensor's handle back when it dies itself."""

    __slots__ = ("handle", "line")

    def __init__(self, handle, line):
        self.handle, self.line = handle, line

    def __del__(self):
        _C._release(self.handle, self.line)


class Tensor(metaclass=TensorMeta):
    """A tensor without values. `_h` is the engine's handle; `_m` caches the geometry until it may have changed."""

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

    def __new__(cls, *args, device=None, dtype=None):
        import torch

        if len(args) == 1 and isinstance(args[0], (list, Tensor)) and not isinstance(args[0], Size):
            t = torch.tensor(args[0], dtype=_defaults.dtype) if isinstance(args[0], list) else args[0].detach()
        elif args and isinstance(args[0], (tuple, Size)):
            t = torch.empty(*args[0])
        else:
            t = torch.empty(*args) if args else torch.empty(0)
        if cls is not Tensor:
            return cls._make_subclass(cls, t)
        return t

    @staticmethod
    def _make_subclass(cls, data, require_grad=False, **_):
        if require_grad and not (data.is_floating_point() or data.is_complex()):
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        made = ops.detach(data)
        t = _C._new(cls)
        handle = made._h
        t._h = handle
        _C._js.addWrapper(handle)
        _C._live[handle] = _C._ref(t)
        del made
        _C._live[handle] = _C._ref(t)
        if require_grad:
            t.requires_grad = True
        if getattr(cls, "_mark", None) == "_is_param":
            _C._js.tag(handle, "parameter")
        return t

    @staticmethod
    def _make_wrapper_subclass(cls, size, strides=None, storage_offset=None, memory_format=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, **_):  # fmt: skip
        from ._subclass import make

        return make(cls, size, strides, dtype, device, requires_grad)

    def as_subclass(self, cls):
        return Tensor._make_subclass(cls, self, self.requires_grad)

    def __del__(self):
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
            else:
                _C._release(h, _here())

    # --- geometry

    def _meta(self):
        m = self._m
        if m is None:
            dt, dev, offset, sizes, strides = _C._js.meta(self._h).split("|")
            m = (
                Size(map(int, sizes.split(","))) if sizes else Size(),
                tuple(map(int, strides.split(","))) if strides else (),
                DTYPES[dt],
                DEVICES[dev],
                int(offset),
            )
            self._m = m
        return m

    @property
    def shape(self):
        m = self._m
        return (m or self._meta())[0]

    @property
    def dtype(self):
        return (self._m or self._meta())[2]

    @property
    def device(self):
        return (self._m or self._meta())[3]

    def size(self, dim=None):
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

    def stride(self, dim=None):
        strides = self._meta()[1]
        return strides if dim is None else strides[dim]

    def dim(self):
        return len(self.shape)

    ndimension = dim

    @property
    def ndim(self):
        return len(self.shape)

    def numel(self):
        n = 1
        for s in self.shape:
            n *= s
        return n

    nelement = numel

    def element_size(self):
        return self.dtype.itemsize

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.numel() * self.dtype.itemsize

    def storage_offset(self):
        return self._meta()[4]

    def data_ptr(self):
        return _C._js.storageId(self._h) + self.storage_offset() * self.itemsize if self.numel() else 0

    def untyped_storage(self):
        return UntypedStorage(self)

    def storage(self):
        return UntypedStorage(self)

    _typed_storage = storage

    def get_device(self):
        return self.device.index if self.is_cuda else -1

    @property
    def is_cuda(self):
        return self.device.type == "cuda"

    @property
    def is_cpu(self):
        return self.device.type == "cpu"

    @property
    def is_meta(self):
        return self.device.type == "meta"

    def is_contiguous(self, memory_format=None):
        if memory_format is None or memory_format.name == "contiguous_format":
            return bool(_C._js.flags(self._h) & 32)
        if memory_format.name == "preserve_format":
            raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
        return channels_lie_last(self, 5 if memory_format.name == "channels_last_3d" else 4)

    def is_floating_point(self):
        return self.dtype.is_floating_point

    def is_complex(self):
        return self.dtype.is_complex

    def is_signed(self):
        return self.dtype.is_signed

    def is_pinned(self, device=None):
        return False

    def is_shared(self):
        return False

    def is_inference(self):
        return bool(_C._js.flags(self._h) & 4)

    def is_same_size(self, other):
        return self.shape == other.shape

    def is_set_to(self, other):
        return _C._js.sameStorage(self._h, other._h) and self._meta() == other._meta()

    def is_nonzero(self):
        return bool(self)

    # --- autograd

    @property
    def requires_grad(self):
        return bool(_C._js.flags(self._h) & 1)

    @requires_grad.setter
    def requires_grad(self, value):
        r = _C._js.setRequiresGrad(self._h, bool(value))
        if r is not None:
            _C.fail(r)

    def requires_grad_(self, requires_grad=True):
        if requires_grad and not (self.is_floating_point() or self.is_complex()):
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        self.requires_grad = requires_grad
        return self

    @property
    def is_leaf(self):
        return bool(_C._js.flags(self._h) & 2)

    @property
    def retains_grad(self):
        return bool(_C._js.flags(self._h) & 8)

    @property
    def _base(self):
        return _C.wrap(_C._js.base(self._h))

    def _is_view(self):
        return bool(_C._js.flags(self._h) & 16)

    @property
    def _version(self):
        return _C._js.version(self._h)

    output_nr = 0

    @property
    def grad_fn(self):
        from .autograd.graph import node_of

        return node_of(_C._js.gradFn(self._h))

    @property
    def grad(self):
        return _C.wrap(_C._js.grad(self._h))

    @grad.setter
    def grad(self, value):
        if value is not None:
            if not isinstance(value, Tensor):
                raise TypeError(
                    f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}"
                )
            if value.shape != self.shape:
                raise RuntimeError(
                    f"assigned grad has data of a different size: expected {list(self.shape)}, got {list(value.shape)}"
                )
        _C._js.setGrad(self._h, value._h if value is not None else 0, _here())

    @grad.deleter
    def grad(self):
        self.grad = None

    @property
    def data(self):
        return ops.detach(self)

    @data.setter
    def data(self, value):
        r = _C._js.setData(self._h, value._h, _here())
        self._m = None
        if r is not None:
            _C.fail(r)
        if getattr(type(self), "_mark", None) == "_is_param":
            _C._js.tag(self._h, "parameter")

    def detach(self):
        return ops.detach(self)

    def detach_(self):
        r = _C._js.detachInPlace(self._h, _here())
        self._m = None
        if r is not None:
            _C.fail(r)
        return self

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        from . import autograd

        autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def retain_grad(self):
        r = _C._js.retainGrad(self._h)
        if r is not None:
            _C.fail(r)

    def register_hook(self, hook):
        from .autograd.graph import HookHandle

        number = _C.register(hook)
        r = _C._js.addHook(self._h, number)
        if r is not None:
            _C.fail(r)
        return HookHandle(self, number, "removeHook")

    def register_post_accumulate_grad_hook(self, hook):
        from .autograd.graph import HookHandle

        def run(leaf):  # given by the engine: a hook that held its own tensor would keep it for good
            hook(leaf)

        if not self.is_leaf:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        number = _C.register(run)
        _C._js.addPostAccumulateHook(self._h, number)
        return HookHandle(self, number, "removePostAccumulateHook")

    # --- values: placeholders where nothing is known

    @_C.compiled
    def item(self):
        if self.numel() != 1:
            raise RuntimeError(f"a Tensor with {self.numel()} elements cannot be converted to Scalar")
        return self._scalar()

    def _scalar(self):
        values = _C._js.values(self._h)
        dt = self.dtype
        if values:
            if _C._js.drawn(self._h):
                _C._js.assume("drawn_value", _here(), "", "")
            v = float(values)
            return v if dt.is_floating_point else bool(v) if dt.name == "bool" else int(v)
        _C._js.assume(_unknown(self), _here(), "", "")
        if dt.is_floating_point:
            return 0.0
        if dt.is_complex:
            return 0j
        return True if dt.name == "bool" else 0

    def _flat(self):
        """Values in row-major order, placeholders where unknown."""
        known = _C._js.values(self._h)
        dt = self.dtype
        if known is not None and known != "":
            if _C._js.drawn(self._h):
                _C._js.assume("drawn_value", _here(), "", "")
            return [
                v if dt.is_floating_point else bool(v) if dt.name == "bool" else int(v)
                for v in map(float, known.split(","))
            ]
        n = self.numel()
        if n:
            _C._js.assume(_unknown(self), _here(), "", "")
        return [0.0 if dt.is_floating_point else True if dt.name == "bool" else 0] * n

    def tolist(self):
        flat = self._flat()
        shape = self.shape
        if not shape:
            return flat[0]
        for s in reversed(shape[1:]):
            flat = [flat[i : i + s] for i in range(0, len(flat), s)] if s else []
        return flat

    @_C.compiled
    def _number(self):
        if self.numel() != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self.item()

    def __float__(self):
        return float(self._number())

    def __int__(self):
        return int(self._number())

    def __complex__(self):
        return complex(self._number())

    def __index__(self):
        if self.dtype.is_floating_point or self.numel() != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __bool__(self):
        n = self.numel()
        if n != 1:
            raise RuntimeError(
                "Boolean value of Tensor with no values is ambiguous"
                if n == 0
                else "Boolean value of Tensor with more than one value is ambiguous"
            )
        return bool(self.item())

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __iter__(self):
        if not self.shape:
            raise TypeError("iteration over a 0-d tensor")
        return iter(ops.unbind(self, 0))

    def __hash__(self):
        return id(self)

    def __contains__(self, element):
        return bool((element == self).any())

    def __repr__(self, *, tensor_contents=None):
        return _text(self)

    __str__ = __repr__

    def __format__(self, spec):
        if self.dim() == 0:
            return self.item().__format__(spec)
        return object.__format__(self, spec)

    def __array__(self, dtype=None, copy=None):
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    def numpy(self, *, force=False):
        if not force and self.device.type != "cpu":
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
            )
        if not force and self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        from numpy._make import from_tensor

        return from_tensor(self)

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
            )
        result = self.data.clone()
        if self.requires_grad:
            result.requires_grad = True
        if self.grad is not None:
            result.grad = self.grad.__deepcopy__(memo)
        memo[id(self)] = result
        return result

    def __copy__(self):
        return ops.detach(self)

    def __reduce_ex__(self, protocol):
        from .serialization import rebuild_tensor

        return rebuild_tensor, (tuple(self.shape), self.dtype, str(self.device), self.requires_grad)

    def __getitem__(self, index):
        from ._indexing import getitem

        try:
            return getitem(self, index)
        except Exception as error:  # compiled code in PyTorch: no frame of it holds anything
            self = index = error.__traceback__ = None
            raise

    def __setitem__(self, index, value):
        from ._indexing import setitem

        try:
            setitem(self, index, value)
        except Exception as error:
            self = index = value = error.__traceback__ = None
            raise

    # --- in-place changes of geometry

    def _take_geometry(self, view):
        _C._js.adoptGeometry(self._h, view._h)
        self._m = None
        return self

    def t_(self):
        return self._take_geometry(self.t())

    def transpose_(self, a, b):
        return self._take_geometry(self.transpose(a, b))

    def squeeze_(self, *dim):
        return self._take_geometry(self.squeeze(*dim))

    def unsqueeze_(self, dim):
        return self._take_geometry(self.unsqueeze(dim))

    def resize_(self, *sizes, memory_format=None):
        sizes = sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes
        r = _C._js.resize(self._h, _here(), *sizes)
        self._m = None
        if r is not None:
            _C.fail(r)
        return self

    def resize_as_(self, other):
        return self.resize_(other.shape)

    def set_(self, source=None, storage_offset=0, size=None, stride=None):
        if source is None:
            source = self.new_empty(0)
        if isinstance(source, UntypedStorage):
            source = source._tensor
        if size is not None:
            source = source.as_strided(size, stride or _row_major(size), storage_offset)
        _C._js.setData(self._h, source._h, _here())
        self._m = None
        return self

    def share_memory_(self):
        return self

    def pin_memory(self, device=None):
        return self

    def record_stream(self, stream):
        _C._js.recordStream(self._h, stream.stream_id)


def _row_major(size):
    strides, step = [], 1
    for s in reversed(size):
        strides.append(step)
        step *= max(s, 1)
    return strides[::-1]


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
        r = _C._js.resizeStorage(self._tensor._h, nbytes, _here())
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


def _text(t):
    shape = t.shape
    values = _C._js.values(t._h) if t.numel() <= 1000 else None
    extra = ""
    dt = t.dtype
    if t.device.type != "cpu":
        extra += f", device='{t.device}'"
    if dt.name not in ("float32", "int64", "bool"):
        extra += f", dtype={dt}"
    fn = t.grad_fn
    if fn is not None:
        extra += f", grad_fn=<{fn.name()}>"
    elif t.requires_grad:
        extra += ", requires_grad=True"
    if values or not shape:

        def word(v):
            if isinstance(v, list):
                return "[" + ", ".join(word(x) for x in v) + "]"
            if isinstance(v, float):
                return f"{v:.0f}." if v == int(v) else f"{v:.4f}"
            return str(v)

        return f"tensor({word(t.tolist())}{extra})"
    return f"tensor(...{extra}, size={tuple(shape)})"


Tensor.__module__ = "torch"
_C.Tensor = Tensor
for _name, _method in _C.generate("method").items():
    if _name not in vars(Tensor):
        setattr(Tensor, _name, _method)
