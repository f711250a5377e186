"""transformers.integrations as programs use it: callbacks that log elsewhere, and whether DeepSpeed shares parameters out."""

from __future__ import annotations

from torch._stand_ins import lacks

from . import deepspeed
from ..trainer_callback import TrainerCallback
from .deepspeed import HfDeepSpeedConfig, is_deepspeed_zero3_enabled

__all__ = ["HfDeepSpeedConfig", "deepspeed", "is_deepspeed_zero3_enabled"]
__getattr__ = lacks(__name__)


class WandbCallback(TrainerCallback):
    """Logs nothing."""


class TensorBoardCallback(TrainerCallback):
    """Logs nothing."""
