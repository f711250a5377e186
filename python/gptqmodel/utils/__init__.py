"""Which kernel runs, and what happens when a model's weights are there."""

from __future__ import annotations

from torch._stand_ins import lacks

from .backend import BACKEND

__getattr__ = lacks("gptqmodel.utils")
