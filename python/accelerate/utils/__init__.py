"""accelerate.utils: seeds."""

from __future__ import annotations

import random

import torch
from torch._stand_ins import lacks

__getattr__ = lacks("accelerate.utils")


def set_seed(seed: int, device_specific: bool = False, deterministic: bool = False) -> None:
    import numpy

    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)
