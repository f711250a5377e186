"""class Tensor: gradient, values and copies of one engine tensor; operators come from the op table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C, _defaults
from ._tensor_base import TensorBase
from ._tensor_text import text_of
from ._types import Size
from ._unknown_numbers import UnknownFloat, UnknownInt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Self

    import torch


ops = _C.ops
_here = _C.here


def _say_not_dispatched(cls):
    from ._stand_ins import note

    note("subclass_not_dispatched", "name", cls.__name__)


def _unknown(tensor):
    """What is said where a program reads a value that nobody knows."""
    return "unknown_value" if tensor.device.type == "cuda" else "unknown_host_value"


class Tensor(TensorBase):
    """A tensor without values."""

    def __new__(
        cls, *args: Any, device: torch.device | str | int | None = None, dtype: torch.dtype | None = None
    ) -> Self:
        import torch

        # torch.set_default_device does not hold for the constructor, torch.set_default_tensor_type does
        place = None if _defaults.by_type or _defaults.device is None else "cpu"
        if len(args) == 1 and isinstance(args[0], Tensor):
            t = args[0].detach()
        elif args and isinstance(args[0], Size):
            t = torch.empty(*args[0], device=place)
        elif len(args) == 1 and hasattr(args[0], "__getitem__") and not hasattr(type(args[0]), "is_integer"):
            # legacy_tensor_generic_ctor_new: a sequence is data
            t = torch.tensor(args[0], dtype=_defaults.dtype, device=place)
        else:
            t = torch.empty(*(args or (0,)), device=place)
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
        elif getattr(cls, "__torch_function__", None) is not _C._disabled_torch_function_impl:
            _say_not_dispatched(cls)
        return t

    @staticmethod
    def _make_wrapper_subclass(cls, size, strides=None, storage_offset=None, memory_format=None, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False, **_):  # fmt: skip
        from ._subclass import make

        return make(cls, size, strides, dtype, device, requires_grad)

    def as_subclass(self, cls: type) -> Any:
        return Tensor._make_subclass(cls, self, self.requires_grad)

    # --- autograd

    @property
    def requires_grad(self) -> bool | None:
        return _C._js.requiresGrad(self._h)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        r = _C._js.setRequiresGrad(self._h, bool(value))
        if r is not None:
            _C.fail(r)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        if requires_grad and not (self.is_floating_point() or self.is_complex()):
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        self.requires_grad = requires_grad
        return self

    @property
    def is_leaf(self) -> bool:
        return _C._js.isLeaf(self._h)

    @property
    def retains_grad(self) -> Any:
        return _C._js.retainsGrad(self._h)

    @property
    def _base(self):
        return _C.wrap(_C._js.base(self._h))

    def _is_view(self):
        return _C._js.isView(self._h)

    @property
    def _version(self):
        return _C._js.version(self._h)

    output_nr = 0

    @property
    def grad_fn(self) -> Any:
        from .autograd.graph import node_of

        return node_of(_C._js.gradFn(self._h))

    @property
    def grad(self) -> Tensor | None:
        return _C.wrap(_C._js.grad(self._h))

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
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
    def grad(self) -> None:
        self.grad = None

    @property
    def data(self) -> Tensor | None:
        made = ops.detach(self)
        _C._js.ownVersion(made._h)
        return made

    @data.setter
    def data(self, value: Tensor) -> None:
        r = _C._js.setData(self._h, value._h, _here())
        self._m = None
        if r is not None:
            _C.fail(r)
        if getattr(type(self), "_mark", None) == "_is_param":
            _C._js.tag(self._h, "parameter")

    def detach(self) -> Tensor:
        return ops.detach(self)

    def detach_(self) -> Tensor:
        r = _C._js.detachInPlace(self._h, _here())
        self._m = None
        if r is not None:
            _C.fail(r)
        return self

    def backward(
        self, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Any = None
    ) -> None:
        from . import autograd

        autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def retain_grad(self) -> None:
        r = _C._js.retainGrad(self._h)
        if r is not None:
            _C.fail(r)

    def register_hook(self, hook: Callable) -> Any:
        from .autograd.graph import HookHandle

        number = _C.register(hook)
        r = _C._js.addHook(self._h, number)
        if r is not None:
            _C.fail(r)
        return HookHandle(self, number, "removeHook")

    def register_post_accumulate_grad_hook(self, hook: Callable) -> Any:
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
    def item(self) -> int | float:
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
        likely = _C._js.likely(self._h)
        if likely:
            _C._js.assume("likely_value", _here(), "", "")
            v = float(likely)
            return UnknownFloat(v) if dt.is_floating_point else bool(v) if dt.name == "bool" else UnknownInt(v)
        _C._js.assume(_unknown(self), _here(), "", "")
        if dt.is_floating_point:
            return UnknownFloat()
        if dt.is_complex:
            return 0j
        return True if dt.name == "bool" else UnknownInt()

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

    def tolist(self) -> list:
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

    def __float__(self) -> float:
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __complex__(self) -> complex:
        return complex(self._number())

    def __index__(self) -> int:
        if self.dtype.is_floating_point or self.numel() != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __bool__(self) -> bool:
        n = self.numel()
        if n != 1:
            raise RuntimeError(
                "Boolean value of Tensor with no values is ambiguous"
                if n == 0
                else "Boolean value of Tensor with more than one value is ambiguous"
            )
        if not _C._js.values(self._h):
            # a check of what must hold, behind which the program raises: it holds where the data are there
            from vramscope_data.required import ends_on

            ends = ends_on(True), ends_on(False)
            if ends[0] != ends[1]:
                _C._js.assume("likely_value", _here(), "", "")
                return ends[1]
        return bool(self.item())

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __iter__(self) -> Iterator:
        if not self.shape:
            raise TypeError("iteration over a 0-d tensor")
        return iter(ops.unbind(self, 0))

    def __hash__(self) -> int:
        return id(self)

    def __contains__(self, element: object) -> bool:
        return bool((element == self).any())

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return text_of(self)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        if self.dim() == 0:
            return self.item().__format__(spec)
        return object.__format__(self, spec)

    def __array__(self, dtype: torch.dtype | None = None, copy: Any = None) -> Any:
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    def numpy(self, *, force: bool = False) -> Any:
        if not force and self.device.type != "cpu":
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
            )
        if not force and self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        from numpy._from_tensor import from_tensor

        return from_tensor(self)

    def __deepcopy__(self, memo: dict) -> Tensor:
        if id(self) in memo:
            return memo[id(self)]
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
            )
        from ._deepcopy import copied

        result = copied(self.data, memo)
        if self.requires_grad:
            result.requires_grad = True
        if self.grad is not None:
            result.grad = self.grad.__deepcopy__(memo)
        memo[id(self)] = result
        return result

    def __copy__(self) -> Tensor:
        return ops.detach(self)

    def __reduce_ex__(self, protocol: int) -> tuple:
        from .serialization import taken_apart

        return taken_apart(self)

    def __getitem__(self, index: Tensor | int | slice | tuple | None) -> Tensor:
        from ._indexing import getitem

        try:
            return getitem(self, index)
        except Exception as error:  # compiled code in PyTorch: no frame of it holds anything
            self = index = error.__traceback__ = None
            raise

    def __setitem__(self, index: Tensor | slice | tuple, value: Tensor | int | float) -> None:
        from ._indexing import setitem

        try:
            setitem(self, index, value)
        except Exception as error:
            self = index = value = error.__traceback__ = None
            raise


Tensor.__module__ = "torch"
_C.know_tensor(Tensor, TensorBase)
for _name, _method in _C.generate("method").items():
    if _name not in vars(Tensor) and _name not in vars(TensorBase):
        setattr(Tensor, _name, _method)
