"""Averages of a model's weights over training."""

from __future__ import annotations

import itertools
import math
from copy import deepcopy
from typing import TYPE_CHECKING

import torch
from torch.nn import Module
from torch.utils._foreach import group_by_device_and_dtype

from ._lr_base import LRScheduler, per_group

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from torch import Tensor


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def _smooth(tensor):
    return torch.is_floating_point(tensor) or torch.is_complex(tensor)


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable:
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(averages, current, _):
        if _smooth(averages[0]):
            torch._foreach_lerp_(averages, current, 1 - decay)
        else:
            for average, now in zip(averages, current):
                average.copy_(average * decay + now * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn() -> Callable:
    @torch.no_grad()
    def swa_update(averages, current, count):
        if _smooth(averages[0]):
            torch._foreach_lerp_(averages, current, 1 / (count + 1))
        else:
            diffs = torch._foreach_sub(current, averages)
            if isinstance(count, torch.Tensor):
                torch._foreach_addcdiv_(averages, diffs, [count + 1] * len(averages))
            else:
                torch._foreach_add_(averages, diffs, alpha=1.0 / (count + 1))

    return swa_update


def get_ema_avg_fn(decay: float = 0.999) -> Callable:
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(average, current, count):
        return decay * average + (1 - decay) * current

    return ema_update


def get_swa_avg_fn() -> Callable:
    @torch.no_grad()
    def swa_update(average, current, count):
        return average + (current - average) / (count + 1)

    return swa_update


class AveragedModel(Module):
    def __init__(
        self,
        model: torch.nn.Module,
        device: int | torch.device | None = None,
        avg_fn: Callable[[Tensor, Tensor, Tensor | int], Tensor] | None = None,
        multi_avg_fn: Callable | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long, device=device))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers
        # The counter lives on a device that may not tell its value: whether this is the first update is counted here.
        self._updates = 0

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    def update_parameters(self, model: torch.nn.Module) -> None:
        def tensors(owner, parameters):
            return itertools.chain(parameters, owner.buffers()) if self.use_buffers else parameters

        own = tensors(self.module, self.module.parameters() if self.use_buffers else self.parameters())
        newest = tensors(model, model.parameters())
        own_detached, given_detached = [], []
        self.n_averaged == 0  # noqa: B015  (PyTorch reads the comparison; its temporary is made here too)
        first = self._updates == 0
        for p_averaged, p_model in zip(own, newest):
            p_model_ = p_model.detach().to(p_averaged.device)
            own_detached.append(p_averaged.detach())
            given_detached.append(p_model_)
            if first:
                p_averaged.detach().copy_(p_model_)
        self.n_averaged > 0  # noqa: B015  (read, too)
        if not first:
            self._average(own_detached, given_detached)
        if not self.use_buffers:
            for b_swa, b_model in zip(self.module.buffers(), model.buffers()):
                b_swa.detach().copy_(b_model.detach().to(b_swa.device))
        self.n_averaged += 1
        self._updates += 1

    def _average(self, own, newest):
        if self.multi_avg_fn is None and self.avg_fn is not None:
            for p_averaged, p_model in zip(own, newest):
                count = self.n_averaged.to(p_averaged.device)
                p_averaged.detach().copy_(self.avg_fn(p_averaged.detach(), p_model, count))
            return
        for (device, _), (averages, current) in group_by_device_and_dtype([own, newest]).items():
            if self.multi_avg_fn is not None:
                self.multi_avg_fn(averages, current, self.n_averaged.to(device))
            elif device.type == "cuda":
                get_swa_multi_avg_fn()(averages, current, self.n_averaged.to(device))
            else:
                average, count = get_swa_avg_fn(), self.n_averaged.to(device)
                for p_averaged, p_model in zip(averages, current):
                    p_averaged.copy_(average(p_averaged, p_model, count))


@torch.no_grad()
def update_bn(loader: Iterable, model: torch.nn.Module, device: int | torch.device | None = None) -> None:
    momenta = {}
    for module in model.modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None
    for input in loader:
        if isinstance(input, (list, tuple)):
            input = input[0]
        if device is not None:
            input = input.to(device)
        model(input)
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    def __init__(
        self,
        optimizer: torch.optim.Optimizer,
        swa_lr: float,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        for lr, group in zip(per_group("swa_lr", optimizer, swa_lr), optimizer.param_groups):
            group["swa_lr"] = lr
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs, self._anneal_strategy = anneal_epochs, anneal_strategy
        super().__init__(optimizer, last_epoch)

    def anneal_func(self, t: Tensor) -> Any:
        return (1 - math.cos(math.pi * t)) / 2 if self._anneal_strategy == "cos" else t

    def get_lr(self) -> Any:
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        span = max(1, self.anneal_epochs)
        before = self.anneal_func(max(0, min(1, (step - 1) / span)))
        now = self.anneal_func(max(0, min(1, step / span)))
        values = []
        for group in self.optimizer.param_groups:
            target = group["swa_lr"]
            start = target if before == 1 else (group["lr"] - before * target) / (1 - before)
            values.append(target * now + start * (1 - now))
        return values
