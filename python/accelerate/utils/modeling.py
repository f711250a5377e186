"""accelerate.utils.modeling: a tensor of a module put elsewhere, and the dtypes that torch has no name for."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

__all__ = ["CustomDtype", "set_module_tensor_to_device"]

__getattr__ = lacks("accelerate.utils.modeling")


class CustomDtype(Enum):
    FP8 = "fp8"
    INT4 = "int4"
    INT2 = "int2"


def set_module_tensor_to_device(
    module: torch.nn.Module,
    tensor_name: str,
    device: Any,
    value: Any = None,
    dtype: torch.dtype | None = None,
    **_: Any,
) -> None:
    """Puts a parameter or buffer on a device, with another value where one is given, cast to `dtype` or to what it was."""
    path, _, name = tensor_name.rpartition(".")
    module = module.get_submodule(path) if path else module
    is_buffer = name in module._buffers
    if not is_buffer and name not in module._parameters:
        raise ValueError(f"{module} does not have a parameter or a buffer named {name}.")
    old = getattr(module, name)
    if old.device == torch.device("meta") and value is None and device not in ("meta", torch.device("meta")):
        raise ValueError(f"{tensor_name} is on the meta device, we need a `value` to put in on {device}.")
    with torch.no_grad():
        if value is None:
            made = old.to(device)
        else:
            wanted = old.dtype if dtype is None else dtype
            made = (value.to(wanted) if value.is_floating_point() else value).to(device)
        if is_buffer:
            module._buffers[name] = made
        elif value is not None or made is not old:
            module._parameters[name] = type(old)(made, requires_grad=old.requires_grad)
