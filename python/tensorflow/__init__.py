"""TensorFlow as PyTorch programs use it: to read checkpoints that were published in its format. Nothing computes here."""

from __future__ import annotations

from torch._stand_ins import lacks

from . import contrib, train

__version__ = "2.20.0"
__all__ = ["contrib", "train"]
__getattr__ = lacks(__name__)
