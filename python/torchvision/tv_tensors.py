"""torchvision.tv_tensors: tensors that say what they hold."""

import torch


class TVTensor(torch.Tensor):
    """The base; operators give plain tensors."""

    def __new__(cls, data, *, dtype=None, device=None, requires_grad=None, **_):
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


def wrap(wrappee, *, like, **_):
    return wrappee


def set_return_type(return_type):
    """Operators always give plain tensors."""
