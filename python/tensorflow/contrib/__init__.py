"""tensorflow.contrib, of which programs on PyTorch use the settings."""

from __future__ import annotations

from torch._stand_ins import lacks

from . import training

__all__ = ["training"]
__getattr__ = lacks(__name__)
