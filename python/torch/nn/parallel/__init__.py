"""Data parallelism as one GPU sees it."""

import torch

from ..modules.module import Module
from .distributed import DistributedDataParallel as DistributedDataParallel


class DataParallel(Module):
    """With one device the module runs as it is."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.dim = dim
        self.module = module
        self.device_ids = list(device_ids) if device_ids is not None else [0]
        if len(self.device_ids) > 1:
            raise NotImplementedError("DataParallel over several GPUs is not modelled: one GPU is simulated")
        self.output_device = output_device if output_device is not None else (self.device_ids or [0])[0]
        if torch.cuda.is_available():
            module.to(torch.device("cuda", self.device_ids[0] if self.device_ids else 0))

    def forward(self, *inputs, **kwargs):
        device = torch.device("cuda", self.device_ids[0] if self.device_ids else 0)
        moved = [_to(value, device) for value in inputs]
        return self.module(*moved, **{key: _to(value, device) for key, value in kwargs.items()})


def _to(value, device):
    if isinstance(value, torch.Tensor):
        return value.to(device)
    if isinstance(value, (list, tuple)):
        return type(value)(_to(item, device) for item in value)
    if isinstance(value, dict):
        return type(value)((key, _to(item, device)) for key, item in value.items())
    return value


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    if not isinstance(inputs, tuple):
        inputs = (inputs,) if inputs is not None else ()
    return module(*inputs, **(module_kwargs or {}))
