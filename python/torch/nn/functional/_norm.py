"""Normalisations."""

import torch
from torch import _C

from ._rows import avg_pool2d, avg_pool3d
from ._vision import pad


def _cudnn():
    return torch.backends.cudnn.enabled


def _verify_batch_size(size):
    count = size[0]
    for n in size[2:]:
        count *= n
    if count == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    if training:
        _verify_batch_size(input.size())
    return _C.ops.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, _cudnn())


def instance_norm(
    input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-05
):
    if use_input_stats:
        count = 1
        for n in input.size()[2:]:
            count *= n
        if count == 1:
            raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.size()}")
    return _C.ops.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, _cudnn()
    )


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    return _C.ops.layer_norm(input, normalized_shape, weight, bias, eps, _cudnn())


def rms_norm(input, normalized_shape, weight=None, eps=None):
    return _C.ops.rms_norm(input, normalized_shape, weight, eps)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    _verify_batch_size([input.size(0) * input.size(1) // num_groups, num_groups, *input.size()[2:]])
    return _C.ops.group_norm(input, num_groups, weight, bias, eps, _cudnn())


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    dim = input.dim()
    if dim < 3:
        raise ValueError(f"Expected 3D or higher dimensionality {' ' * 24} input (got {dim} dimensions)")
    if input.numel() == 0:
        return input
    div = input.mul(input)
    if dim == 3:
        div = div.unsqueeze(1)
        div = pad(div, (0, 0, size // 2, (size - 1) // 2))
        div = avg_pool2d(div, (size, 1), stride=1).squeeze(1)
    else:
        sizes = input.size()
        div = div.view(sizes[0], 1, sizes[1], sizes[2], -1)
        div = pad(div, (0, 0, 0, 0, size // 2, (size - 1) // 2))
        div = avg_pool3d(div, (size, 1, 1), stride=1).squeeze(1)
        div = div.view(sizes)
    div = div.mul(alpha).add(k).pow(beta)
    return input / div


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    if out is None:
        denom = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
        return input / denom
    denom = input.norm(p, dim, keepdim=True).clamp_min_(eps).expand_as(input)
    return torch.div(input, denom, out=out)


__all__ = ["batch_norm", "group_norm", "instance_norm", "layer_norm", "local_response_norm", "normalize", "rms_norm"]
