"""torch._foreach_* and torch._fused_*: lists of tensors in one call."""

import torch

from . import _foreach

for _name, _value in vars(_foreach).items():
    if _name.startswith(("_foreach_", "_fused_", "_amp_")):
        setattr(torch, _name, _value)
