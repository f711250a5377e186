"""accelerate.utils: seeds."""

import random

import torch
from torch._stand_ins import lacks

__getattr__ = lacks("accelerate.utils")


def set_seed(seed, device_specific=False, deterministic=False):
    import numpy

    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)
