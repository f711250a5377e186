"""Parameters and buffers, and their not yet shaped versions for lazy modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn, Self

    from torch import Tensor


class _MarkedMeta(type(torch.Tensor)):
    """Makes isinstance() also accept a tensor of another class that carries the class's mark."""

    def __instancecheck__(self, instance: Any) -> bool:
        mark = self.__dict__.get("_mark")
        if mark is not None and isinstance(instance, torch.Tensor) and getattr(instance, mark, False):
            return True
        return super().__instancecheck__(instance)


class Parameter(torch.Tensor, metaclass=_MarkedMeta):
    """A tensor that a module counts as its own."""

    _mark = "_is_param"
    __torch_function__ = torch._C._disabled_torch_function_impl

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> torch.nn.Parameter:
        if data is None:
            data = torch.empty(0)
        if type(data) is torch.Tensor or type(data) is Parameter:
            return torch.Tensor._make_subclass(cls, data, requires_grad)
        result = data.detach().requires_grad_(requires_grad)
        if type(result) is not type(data):
            raise RuntimeError(
                f"detach() of {type(data).__name__} returned {type(result).__name__}: cannot make a Parameter of it"
            )
        result._is_param = True
        torch._C.tag(result, "parameter")
        return result

    def __deepcopy__(self, memo: dict) -> torch.nn.Parameter:
        if id(self) in memo:
            return memo[id(self)]
        result = type(self)(self.data.clone(memory_format=torch.preserve_format), self.requires_grad)
        memo[id(self)] = result
        return result

    def __repr__(self, **options: Any) -> str:
        return "Parameter containing:\n" + super().__repr__(**options)

    __str__ = __repr__

    def __reduce_ex__(self, protocol: int) -> tuple:
        return _rebuild_parameter, (self.data, self.requires_grad)


def _rebuild_parameter(data, requires_grad):
    return Parameter(data, requires_grad)


class Buffer(torch.Tensor, metaclass=_MarkedMeta):
    """A tensor that registers itself as a buffer when it is assigned to a module."""

    _mark = "_is_buffer"

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Self:
        if data is None:
            data = torch.empty(0)
        result = data.detach().requires_grad_(data.requires_grad)
        result.persistent = persistent
        result._is_buffer = True
        return result


class UninitializedTensorMixin:
    """What a tensor without a shape can do: take a shape."""

    def materialize(
        self, shape: Sequence[int], device: torch.device | str | int | None = None, dtype: torch.dtype | None = None
    ) -> None:
        if device is None:
            device = self.data.device
        if dtype is None:
            dtype = self.data.dtype
        self.data = torch.empty(shape, device=device, dtype=dtype)
        self.__class__ = self.cls_to_become

    @property
    def shape(self) -> NoReturn:
        raise RuntimeError("An uninitialized parameter or buffer has no shape yet: run the module once first")

    def __repr__(self, **_: Any) -> str:
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self, protocol: int) -> tuple:
        return type(self), (self.requires_grad,)


def is_lazy(param: Any) -> bool:
    return isinstance(param, UninitializedTensorMixin)


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    cls_to_become = Parameter

    def __new__(
        cls,
        requires_grad: bool = True,
        device: torch.device | str | int | None = None,
        dtype: torch.dtype | None = None,
    ) -> Self:
        data = torch.empty(0, device=device, dtype=dtype)
        return torch.Tensor._make_subclass(cls, data, requires_grad)

    def __deepcopy__(self, memo: dict) -> Self:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, self.data.device, self.data.dtype)
        return memo[id(self)]


class UninitializedBuffer(UninitializedTensorMixin, torch.Tensor):
    cls_to_become = torch.Tensor
    __torch_function__ = torch._C._disabled_torch_function_impl

    def __new__(
        cls,
        requires_grad: bool = False,
        device: torch.device | str | int | None = None,
        dtype: torch.dtype | None = None,
        persistent: bool = True,
    ) -> Self:
        data = torch.empty(0, device=device, dtype=dtype)
        result = torch.Tensor._make_subclass(cls, data, requires_grad)
        result.persistent = persistent
        result._is_buffer = True
        return result
