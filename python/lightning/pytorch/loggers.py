"""Loggers: what they are told goes nowhere."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from torch._stand_ins import lacks, note
from vramscope_absent import Inert

if TYPE_CHECKING:
    from typing import Any


__getattr__ = lacks("lightning.pytorch.loggers")


class Logger:
    """Takes everything."""

    def __init__(
        self, save_dir: str | None = None, name: str = "lightning_logs", version: str | None = None, **kwargs: Any
    ) -> None:
        self.save_dir = str(save_dir or kwargs.get("dir") or kwargs.get("root_dir") or "lightning_logs")
        self.name, self.version, self.kwargs = name, 0 if version is None else version, kwargs
        note("absent_logs", "library", f"lightning.{type(self).__name__}")

    @property
    def log_dir(self) -> str:
        version = self.version if isinstance(self.version, str) else f"version_{self.version}"
        return os.path.join(self.save_dir, str(self.name or ""), version)

    root_dir = property(lambda self: os.path.join(self.save_dir, str(self.name or "")))
    group_separator = "/"

    @property
    def experiment(self) -> Any:
        return Inert("tensorboardX.SummaryWriter")

    def log_metrics(self, metrics: Any, step: int | None = None) -> None:
        """Goes nowhere."""

    log_hyperparams = log_graph = log_image = log_text = log_table = watch = finalize = save = after_save_checkpoint = (
        log_metrics
    )


class TensorBoardLogger(Logger):
    pass


class CSVLogger(Logger):
    pass


class WandbLogger(Logger):
    def __init__(self, name: str | None = None, save_dir: str = ".", version: str | None = None, **kwargs: Any) -> None:
        super().__init__(save_dir, name or kwargs.get("project") or "lightning_logs", version, **kwargs)


class MLFlowLogger(Logger):
    pass


class CometLogger(Logger):
    pass


class NeptuneLogger(Logger):
    pass
