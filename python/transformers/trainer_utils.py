"""Small things that programs take from transformers.trainer_utils."""

from __future__ import annotations

import enum
import os
import re
from typing import TYPE_CHECKING, NamedTuple

from torch._stand_ins import lacks

from .evaluating import EvalPrediction, PredictionOutput

if TYPE_CHECKING:
    from typing import Any

__all__ = ["EvalPrediction", "PredictionOutput"]
PREFIX_CHECKPOINT_DIR = "checkpoint"
_lacks = lacks(__name__)


def __getattr__(name: str) -> Any:
    if name == "set_seed":
        import transformers

        return transformers.set_seed
    return _lacks(name)


class TrainOutput(NamedTuple):
    """What `train` returns."""

    global_step: int
    training_loss: float
    metrics: dict[str, float]


class EvalLoopOutput(NamedTuple):
    """What an evaluation gives."""

    predictions: Any
    label_ids: Any
    metrics: dict[str, float] | None
    num_samples: int | None


class _Named(str, enum.Enum):
    def __str__(self) -> str:
        return self.value


IntervalStrategy = _Named("IntervalStrategy", {name.upper(): name for name in ("no", "steps", "epoch")})
SaveStrategy = _Named("SaveStrategy", {name.upper(): name for name in ("no", "steps", "epoch", "best")})
HubStrategy = _Named("HubStrategy", {n.upper(): n for n in ("end", "every_save", "checkpoint", "all_checkpoints")})
SchedulerType = _Named(
    "SchedulerType",
    {
        name.upper(): name
        for name in (
            "linear cosine cosine_with_restarts polynomial constant constant_with_warmup inverse_sqrt "
            "reduce_lr_on_plateau cosine_with_min_lr warmup_stable_decay"
        ).split()
    },
)


def get_last_checkpoint(folder: str) -> str | None:
    """The checkpoint of most steps in a folder."""
    found = [name for name in os.listdir(folder) if re.fullmatch(rf"{PREFIX_CHECKPOINT_DIR}-\d+", name)]
    return os.path.join(folder, max(found, key=lambda name: int(name.rpartition("-")[2]))) if found else None


def is_main_process(local_rank: int) -> bool:
    return local_rank in (-1, 0)


def has_length(dataset: Any) -> bool:
    try:
        return len(dataset) is not None
    except (TypeError, AttributeError):
        return False


def speed_metrics(split: str, start_time: float, *_: object, **__: object) -> dict[str, float]:
    import time

    return {f"{split}_runtime": round(time.time() - start_time, 4)}
