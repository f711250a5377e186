"""Changing the memory format of convolution weights only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any


def _convert(module, memory_format, dims):
    classes = {4: (torch.nn.Conv2d, torch.nn.ConvTranspose2d), 5: (torch.nn.Conv3d, torch.nn.ConvTranspose3d)}[dims]
    if isinstance(module, classes):
        data = module.weight.detach().clone(memory_format=memory_format)
        module.weight.data = data.resize_(module.weight.data.size(), memory_format=memory_format)
    for child in module.children():
        _convert(child, memory_format, dims)
    return module


def convert_conv2d_weight_memory_format(module: Any, memory_format: torch.memory_format) -> Any:
    return _convert(module, memory_format, 4)


def convert_conv3d_weight_memory_format(module: Any, memory_format: torch.memory_format) -> Any:
    return _convert(module, memory_format, 5)
