"""Settings in a tensor, for state dicts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


__getattr__ = lacks("bitsandbytes.utils")


def pack_dict_to_tensor(source_dict: Any) -> Tensor:
    """The dictionary as JSON in a uint8 tensor on the CPU."""
    return torch.tensor(list(json.dumps(source_dict).encode()), dtype=torch.uint8)


def unpack_tensor_to_dict(tensor: Tensor) -> Any:
    return json.loads(bytes(tensor.cpu().tolist()).decode())
