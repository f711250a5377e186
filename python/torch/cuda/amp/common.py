"""What torch.cuda.amp asks about the machine."""

from __future__ import annotations

import torch


def amp_definitely_not_available() -> bool:
    return not torch.cuda.is_available()
