"""Settings in a tensor, for state dicts."""

import json

import torch
from torch._stand_ins import lacks

__getattr__ = lacks("bitsandbytes.utils")


def pack_dict_to_tensor(source_dict):
    """The dictionary as JSON in a uint8 tensor on the CPU."""
    return torch.tensor(list(json.dumps(source_dict).encode()), dtype=torch.uint8)


def unpack_tensor_to_dict(tensor):
    return json.loads(bytes(tensor.cpu().tolist()).decode())
