"""The base of learning rate schedulers."""

from __future__ import annotations

import warnings
from functools import wraps
from weakref import ref
from typing import TYPE_CHECKING

import torch

from .optimizer import Optimizer

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def rates(optimizer: torch.optim.Optimizer, key: str = "lr") -> list[float]:
    return [g[key].clone() if isinstance(g[key], torch.Tensor) else g[key] for g in optimizer.param_groups]


def set_in_group(group: Any, key: str, new: float) -> None:
    """Writes a value; a tensor stays the same tensor."""
    if isinstance(group[key], torch.Tensor):
        group[key].fill_(new)
    else:
        group[key] = new


def per_group(name: str, optimizer: torch.optim.Optimizer, param: float) -> list[float]:
    if isinstance(param, (list, tuple)):
        if len(param) != len(optimizer.param_groups):
            raise ValueError(f"{name} must have the same length as optimizer.param_groups")
        return list(param)
    return [param] * len(optimizer.param_groups)


def _track_steps(optimizer):
    """Wraps optimizer.step so that a scheduler can tell whether it was called."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    function = optimizer.step.__func__
    owner = ref(optimizer)

    @wraps(function)
    def step(*args, **kwargs):
        opt = owner()
        opt._opt_called = True
        return function.__get__(opt, type(opt))(*args, **kwargs)

    step._wrapped_by_lr_sched = True
    optimizer.step = step


class LRScheduler:
    _get_lr_called_within_step = False
    _is_initial = False

    def __init__(self, optimizer: torch.optim.Optimizer, last_epoch: int = -1, verbose: bool | None = None) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                lr = group["lr"]
                group.setdefault("initial_lr", lr.clone() if isinstance(lr, torch.Tensor) else lr)
            elif "initial_lr" not in group:
                raise KeyError(f"param 'initial_lr' is not specified in param_groups[{i}] when resuming an optimizer")
        self.base_lrs = rates(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        _track_steps(optimizer)
        self._initial_step()

    def _initial_step(self):
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[float | Tensor]:
        return self._last_lr

    def get_lr(self) -> list[float | Tensor]:
        raise NotImplementedError

    def step(self, epoch: int | None = None) -> None:
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                warnings.warn(
                    "Seems like `optimizer.step()` has been overridden after the scheduler was made", stacklevel=2
                )
            elif not getattr(self.optimizer, "_opt_called", False):
                warnings.warn(
                    "Detected call of `lr_scheduler.step()` before `optimizer.step()`: call them in the opposite order",
                    stacklevel=2,
                )
        self._step_count += 1
        self._update_lr(epoch)

    def _update_lr(self, epoch=None):
        self._get_lr_called_within_step = True
        try:
            if epoch is None:
                self.last_epoch += 1
                values = self.get_lr()
            else:
                self.last_epoch = epoch
                values = self._get_closed_form_lr() if hasattr(self, "_get_closed_form_lr") else self.get_lr()
        finally:
            self._get_lr_called_within_step = False
        for group, lr in zip(self.optimizer.param_groups, values):
            set_in_group(group, "lr", lr)
        self._last_lr = rates(self.optimizer)

    def _current(self):
        return rates(self.optimizer)

    def _times(self, factor):
        return [group["lr"] * factor for group in self.optimizer.param_groups]


class _LRScheduler(LRScheduler):
    """The old name."""
