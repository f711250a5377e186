"""torch.LongTensor, torch.cuda.FloatTensor and their like: classes named after an element type and a device.

Mirrors torch/csrc/tensor/python_tensor.cpp (PyTensorType): they construct, answer isinstance, and no tensor is of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import torch

from . import _C, _defaults, _literals, _settings, _types
from ._tensor import Tensor

if TYPE_CHECKING:
    from typing import Any


_D = _types.DTYPES
NAMES = {
    "FloatTensor": "float32", "DoubleTensor": "float64", "HalfTensor": "float16", "BFloat16Tensor": "bfloat16", "LongTensor": "int64",
    "IntTensor": "int32", "ShortTensor": "int16", "CharTensor": "int8", "ByteTensor": "uint8", "BoolTensor": "bool",
}  # fmt: skip
NAME_OF = {dtype: name for name, dtype in NAMES.items()}


class tensortype(type):
    """The metaclass of typed tensor classes."""

    def __instancecheck__(cls, instance: Any) -> Any:
        return isinstance(instance, Tensor) and instance.dtype is cls.dtype and instance.is_cuda == cls.is_cuda

    def __call__(cls, *args: Any, device: torch.device | str | int | None = None) -> Any:
        place = device if device is not None else "cuda" if cls.is_cuda else "cpu"
        if not args:
            return torch.empty(0, dtype=cls.dtype, device=place)
        first = args[0]
        if isinstance(first, Tensor):
            if first.dtype is not cls.dtype or first.is_cuda != cls.is_cuda:
                raise TypeError(f"expected {cls.__module__}.{cls.__name__} (got {first.type()})")
            return _C.ops.alias(first.detach())
        if hasattr(first, "__len__") and not isinstance(first, _types.Size):
            return _literals.tensor(first, dtype=cls.dtype, device=place)
        return torch.empty(*args, dtype=cls.dtype, device=place)

    def __repr__(cls) -> str:
        return f"<class '{cls.__module__}.{cls.__name__}'>"


def of(on_gpu: Any) -> dict:
    """The typed classes of one device by name."""
    module = "torch.cuda" if on_gpu else "torch"
    return {
        name: tensortype(name, (), {"dtype": _D[dtype], "is_cuda": on_gpu, "is_sparse": False, "layout": _types.LAYOUTS[0], "__module__": module})
        for name, dtype in NAMES.items()
    }  # fmt: skip


BY_TEXT = {}


def install() -> None:
    """Puts the classes into torch and torch.cuda."""
    for module, on_gpu in (("torch", False), ("torch.cuda", True)):
        namespace = vars(importlib.import_module(module))
        for name, made in of(on_gpu).items():
            namespace[name] = made
            BY_TEXT[f"{made.__module__}.{name}"] = made


def type_(self: Tensor, dtype: torch.dtype | None = None, non_blocking: bool = False) -> Tensor:
    """Tensor.type: the name of the tensor's type, or a copy of another one."""
    if dtype is None:
        kind = self.dtype.name
        name = NAME_OF.get(kind)
        if name is None:
            complex_names = {"complex64": "ComplexFloatTensor", "complex128": "ComplexDoubleTensor"}
            name = complex_names.get(kind, kind.capitalize() + "Tensor")
        return f"{'torch.cuda.' if self.is_cuda else 'torch.'}{name}"
    if isinstance(dtype, str):
        found = BY_TEXT.get(dtype)
        if found is None:
            raise ValueError(f"invalid type: '{dtype}'")
        dtype = found
    if isinstance(dtype, tensortype):
        return _C.ops.to(self, dtype.dtype, "cuda" if dtype.is_cuda else "cpu", non_blocking)
    return _C.ops.to(self, dtype, None, non_blocking)


def set_default_tensor_type(t: type[Tensor] | str) -> None:
    """Sets dtype and device of new tensors; only floating point types may be the default."""
    if isinstance(t, str):
        found = BY_TEXT.get(t)
        if found is None:
            raise TypeError(f"invalid type object: '{t}'")
        t = found
    if not isinstance(t, tensortype):
        raise TypeError("invalid type object")
    if not t.dtype.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, got {t!r}")
    _settings.set_default_dtype(t.dtype)
    _defaults.device = _types.DEVICES["cuda"] if t.is_cuda else None
    _defaults.by_type = t.is_cuda
