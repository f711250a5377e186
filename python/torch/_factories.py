"""What all functions that make tensors share: the device where none is named, layout, pinned memory and requires_grad."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _defaults
from ._errors import UnsupportedOp
from ._gpus import engine_name
from ._operands import dtype_of_type
from ._types import LAYOUTS, device as _device_type, dtype as _dtype_type, layout as _layout_type

if TYPE_CHECKING:
    import torch
    from torch import Tensor


_STRIDED = LAYOUTS[0]


def place(device: torch.device | str | int | None) -> str:
    """The engine's name of the device that a new tensor is on."""
    if device is None:
        device = _defaults.device
        if device is None:
            return "cpu"
    elif not isinstance(device, _device_type):
        device = _device_type(device)
    return engine_name(device)


def dtype_name(dtype: torch.dtype | type | None) -> str | None:
    """The engine's name of the dtype that a new tensor has, if one is named."""
    return dtype.name if isinstance(dtype, _dtype_type) else None if dtype is None else dtype_of_type(dtype, "").name


def made(
    name: str, tensor: Tensor, layout: torch.layout | None, pin_memory: bool | None, requires_grad: bool | None
) -> Tensor:
    """The tensor as the rest of what was said of it has it."""
    if layout is not None and layout is not _STRIDED:
        if not isinstance(layout, _layout_type):
            raise TypeError(f"{name}(): argument 'layout' must be torch.layout, not {type(layout).__name__}")
        raise UnsupportedOp(f"vramscope does not simulate torch.{name} with layout={layout}")
    if pin_memory and tensor.is_cuda:
        raise RuntimeError("Only dense CPU tensors can be pinned")
    return needing_gradient(tensor, requires_grad)


def needing_gradient(tensor: Tensor, requires_grad: bool | None) -> Tensor:
    if requires_grad:
        if not (tensor.is_floating_point() or tensor.is_complex()):
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        tensor.requires_grad = True
    return tensor
