"""torch.utils.dlpack: a tensor's memory, handed to another library and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class _Capsule:
    """What is handed over: it keeps the memory."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor


def to_dlpack(tensor: Tensor) -> _Capsule:
    if tensor.requires_grad:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    return _Capsule(tensor.detach())


def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor over the memory of a capsule, of another tensor or of an array of NumPy."""
    if isinstance(ext_tensor, _Capsule):
        found = ext_tensor.tensor.detach()
    elif isinstance(ext_tensor, torch.Tensor):
        found = ext_tensor.detach()
    elif hasattr(ext_tensor, "__array__"):
        found = torch.from_numpy(ext_tensor)
    else:
        raise AttributeError(f"'{type(ext_tensor).__name__}' object has no attribute '__dlpack__'")
    found = found if device is None else found.to(device)
    return found.clone() if copy else found
