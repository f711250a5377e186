"""torch._foreach_*: lists of tensors in one call."""

import torch

from . import _foreach

for _name, _function in _foreach.FUNCTIONS.items():
    setattr(torch, _name, _function)
