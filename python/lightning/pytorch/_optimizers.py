"""What `configure_optimizers` may return, and the optimizer that steps see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.optim import Optimizer

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class LightningOptimizer:
    """An optimizer whose step goes through the trainer's precision and is counted."""

    def __init__(self, optimizer: torch.optim.Optimizer, trainer: Any) -> None:
        self.__dict__.update(_optimizer=optimizer, _trainer=trainer)

    @property
    def optimizer(self) -> Any:
        return self._optimizer

    def step(self, closure: Callable | None = None, **kwargs: Any) -> Any:
        trainer = self._trainer
        trainer.global_step += 1
        precision = trainer.precision_plugin
        if closure is None:
            return precision.step(self._optimizer)
        if precision.scaler is not None:
            made = closure()
            precision.step(self._optimizer)
            return made
        return self._optimizer.step(closure=closure, **kwargs)

    def toggle_model(self, sync_grad: bool = True) -> Any:
        return self._trainer.lightning_module.toggled_optimizer(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._optimizer, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._optimizer, name, value)


def optimizers_of(configured: Any) -> tuple | tuple[list, list]:
    """(optimizers, rows of schedulers) of what a module returned."""
    if configured is None:
        return [], []
    if isinstance(configured, (Optimizer, dict)):
        configured = [configured]
    if isinstance(configured, (list, tuple)) and len(configured) == 2 and isinstance(configured[0], (list, tuple)):
        optimizers, schedulers = configured
        schedulers = schedulers if isinstance(schedulers, (list, tuple)) else [schedulers]
        return list(optimizers), [_row(s) for s in schedulers if s is not None]
    optimizers, rows = [], []
    for item in configured:
        if isinstance(item, dict):
            optimizers.append(item["optimizer"])
            if item.get("lr_scheduler") is not None:
                rows.append(_row(item["lr_scheduler"], item.get("monitor")))
        else:
            optimizers.append(item)
    return optimizers, rows


def _row(scheduler, monitor=None):
    config = scheduler if isinstance(scheduler, dict) else {"scheduler": scheduler}
    on_plateau = isinstance(config["scheduler"], torch.optim.lr_scheduler.ReduceLROnPlateau)
    return {
        "interval": "epoch",
        "frequency": 1,
        **config,
        "monitor": (config.get("monitor") or monitor or "loss") if on_plateau else None,
    }
