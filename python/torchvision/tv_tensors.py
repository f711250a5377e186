"""torchvision.tv_tensors: tensors that say what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any, Self


class TVTensor(torch.Tensor):
    """The base; operators give plain tensors, as torchvision's do by themselves."""

    __torch_function__ = torch._C._disabled_torch_function_impl

    def __new__(
        cls,
        data: Any,
        *,
        dtype: torch.dtype | None = None,
        device: torch.device | str | int | None = None,
        requires_grad: bool | None = None,
        **_: Any,
    ) -> Self:
        made = torch.as_tensor(data, dtype=dtype, device=device)
        return torch.Tensor._make_subclass(cls, made, bool(requires_grad))


class Image(TVTensor):
    """An image [..., channels, height, width]."""


class Video(TVTensor):
    """Frames [..., time, channels, height, width]."""


class Mask(TVTensor):
    """A mask [..., height, width]."""


class BoundingBoxes(TVTensor):
    """Boxes [n, 4]."""


class BoundingBoxFormat:
    XYXY, XYWH, CXCYWH = "XYXY", "XYWH", "CXCYWH"


def wrap(wrappee: Any, *, like: Any, **_: Any) -> Any:
    return wrappee


def set_return_type(return_type: str) -> None:
    """Operators always give plain tensors."""
