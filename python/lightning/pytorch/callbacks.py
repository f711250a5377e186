"""Callbacks: those that only watch, save or show. One that changes what memory holds is refused."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

from .hooks import CallbackHooks

if TYPE_CHECKING:
    from typing import Any


__getattr__ = lacks("lightning.pytorch.callbacks")


class Callback(CallbackHooks):
    """Its hooks are called with the trainer and the module."""

    state_key = property(lambda self: type(self).__qualname__)

    def state_dict(self) -> dict:
        return {}

    def load_state_dict(self, state_dict: Any) -> None:
        """Nothing is kept."""


class _Keeps(Callback):
    """Keeps what it is called with as attributes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args = args
        self.__dict__.update(kwargs)


class Checkpoint(_Keeps):
    """Something that saves."""


class ModelCheckpoint(Checkpoint):
    """Saves the weights once, at the end of training."""

    CHECKPOINT_JOIN_CHAR, FILE_EXTENSION, CHECKPOINT_NAME_LAST = "-", ".ckpt", "last"

    def __init__(
        self,
        dirpath: Any = None,
        filename: str | None = None,
        monitor: Any = None,
        verbose: bool = False,
        save_last: Any = None,
        save_top_k: int = 1,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.dirpath, self.filename, self.monitor, self.save_last = dirpath, filename, monitor, save_last
        self.verbose, self.save_top_k, self.best_k_models = verbose, save_top_k, {}
        self.best_model_path = self.last_model_path = ""
        self.best_model_score = None

    def on_train_end(self, trainer: Any, pl_module: Any) -> None:
        if self.save_top_k == 0:
            return
        folder = self.dirpath or os.path.join(trainer.default_root_dir, "checkpoints")
        path = os.path.join(
            folder, "last.ckpt" if self.filename is None else f"{self.filename.partition('{')[0] or 'best'}.ckpt"
        )
        trainer.save_checkpoint(path)
        self.best_model_path = self.last_model_path = path
        self.best_model_score = torch.tensor(0.0)


class EarlyStopping(_Keeps):
    """Watches a value, which is a placeholder here: it never stops."""

    stopped_epoch, wait_count = 0, 0

    def __init__(self, monitor: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, monitor=monitor, **kwargs)


class LambdaCallback(Callback):
    """Hooks given as functions."""

    def __init__(self, **hooks: Any) -> None:
        for name, hook in hooks.items():
            setattr(self, name, hook)


class GradientAccumulationScheduler(Callback):
    """The number of batches before a step, by epoch."""

    def __init__(self, scheduling: Any) -> None:
        self.scheduling = scheduling

    def on_train_epoch_start(self, trainer: Any, pl_module: Any) -> None:
        for epoch, count in sorted(self.scheduling.items()):
            if trainer.current_epoch >= epoch:
                trainer.accumulate_grad_batches = count


class BasePredictionWriter(Callback):
    """Writes predictions."""

    def __init__(self, write_interval: str = "batch") -> None:
        self.interval = write_interval

    def on_predict_batch_end(
        self, trainer: Any, pl_module: Any, outputs: Any, batch: int, batch_idx: Any, dataloader_idx: int = 0
    ) -> None:
        if self.interval in ("batch", "batch_and_epoch"):
            self.write_on_batch_end(trainer, pl_module, outputs, None, batch, batch_idx, dataloader_idx)

    def write_on_batch_end(self, *args: Any) -> None:
        """Overridden by those who derive."""


class LearningRateMonitor(_Keeps):
    pass


class ModelSummary(_Keeps):
    pass


class RichModelSummary(ModelSummary):
    pass


class ProgressBar(_Keeps):
    def get_metrics(self, trainer: Any, pl_module: Any) -> dict:
        return {}

    def disable(self) -> None:
        """None is shown."""

    enable = disable


class TQDMProgressBar(ProgressBar):
    pass


class RichProgressBar(ProgressBar):
    pass


class Timer(_Keeps):
    def time_elapsed(self, stage: str = "train") -> float:
        return 0.0


class DeviceStatsMonitor(_Keeps):
    pass


class OnExceptionCheckpoint(Checkpoint):
    pass


class ThroughputMonitor(_Keeps):
    pass
