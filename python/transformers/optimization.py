"""Adafactor, the AdamW of releases before 5, and learning rates over time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from torch import Tensor


class Adafactor(Optimizer):
    """
    Keeps the second moment of a matrix as a row and a column. 16-bit parameters are updated in float32 copies.

    With `beta1` there is a first moment of the gradient's full size.
    """

    def __init__(
        self,
        params: Iterable[Tensor],
        lr: float | None = None,
        eps: float = (1e-30, 1e-3),
        clip_threshold: float = 1.0,
        decay_rate: float = -0.8,
        beta1: Any = None,
        weight_decay: float = 0.0,
        scale_parameter: bool = True,
        relative_step: bool = True,
        warmup_init: bool = False,
    ) -> None:
        if lr is not None and relative_step:
            raise ValueError("Cannot combine manual `lr` and `relative_step=True` options")
        if warmup_init and not relative_step:
            raise ValueError("`warmup_init=True` requires `relative_step=True`")
        super().__init__(
            params,
            {
                "lr": lr,
                "eps": eps,
                "clip_threshold": clip_threshold,
                "decay_rate": decay_rate,
                "beta1": beta1,
                "weight_decay": weight_decay,
                "scale_parameter": scale_parameter,
                "relative_step": relative_step,
                "warmup_init": warmup_init,
            },
        )

    @staticmethod
    def _get_lr(group, state):
        rate = group["lr"]
        if group["relative_step"]:
            least = 1e-6 * state["step"] if group["warmup_init"] else 1e-2
            rate = min(least, 1.0 / math.sqrt(state["step"]))
        scale = 1.0
        if group["scale_parameter"]:
            scale = max(group["eps"][1], state["RMS"])
        return scale * rate

    @staticmethod
    def _rms(tensor):
        return tensor.norm(2) / (tensor.numel() ** 0.5)

    @staticmethod
    def _inverse_root(row, column):
        by_row = (row / row.mean(dim=-1, keepdim=True)).rsqrt_().unsqueeze(-1)
        by_column = column.unsqueeze(-2).rsqrt()
        return torch.mul(by_row, by_column)

    @torch.no_grad()
    def step(self, closure: Callable | None = None) -> Any:
        loss = None if closure is None else closure()
        # names outlive an iteration, as in the library: the last tensors of one parameter are there when the next begins
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad
                if grad.dtype in (torch.float16, torch.bfloat16):
                    grad = grad.float()
                state = self.state[p]
                shape = grad.shape
                factored, first = len(shape) >= 2, group["beta1"] is not None
                if len(state) == 0:
                    state["step"] = 0
                    if first:
                        state["exp_avg"] = torch.zeros_like(grad)
                    if factored:
                        state["exp_avg_sq_row"] = torch.zeros(shape[:-1]).to(grad)
                        state["exp_avg_sq_col"] = torch.zeros(shape[:-2] + shape[-1:]).to(grad)
                    else:
                        state["exp_avg_sq"] = torch.zeros_like(grad)
                    state["RMS"] = 0
                else:
                    for name in ("exp_avg", "exp_avg_sq_row", "exp_avg_sq_col", "exp_avg_sq"):
                        if name in state:
                            state[name] = state[name].to(grad)
                wide = p
                if p.dtype in (torch.float16, torch.bfloat16):
                    wide = wide.float()
                state["step"] += 1
                state["RMS"] = self._rms(wide)
                lr = self._get_lr(group, state)
                beta2 = 1.0 - math.pow(state["step"], group["decay_rate"])
                update = (grad**2) + group["eps"][0]
                if factored:
                    row, column = state["exp_avg_sq_row"], state["exp_avg_sq_col"]
                    row.mul_(beta2).add_(update.mean(dim=-1), alpha=(1.0 - beta2))
                    column.mul_(beta2).add_(update.mean(dim=-2), alpha=(1.0 - beta2))
                    update = self._inverse_root(row, column)
                    update.mul_(grad)
                else:
                    square = state["exp_avg_sq"]
                    square.mul_(beta2).add_(update, alpha=(1.0 - beta2))
                    update = square.rsqrt().mul_(grad)
                update.div_((self._rms(update) / group["clip_threshold"]).clamp_(min=1.0))
                update.mul_(lr)
                if first:
                    average = state["exp_avg"]
                    average.mul_(group["beta1"]).add_(update, alpha=(1 - group["beta1"]))
                    update = average
                if group["weight_decay"] != 0:
                    wide.add_(wide, alpha=(-group["weight_decay"] * lr))
                wide.add_(-update)
                if p.dtype in (torch.float16, torch.bfloat16):
                    p.copy_(wide)
        return loss


class AdamW(Optimizer):
    """As it was before transformers 5: each parameter by itself, the decay after the step."""

    def __init__(
        self,
        params: Iterable[Tensor],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-6,
        weight_decay: float = 0.0,
        correct_bias: bool = True,
        no_deprecation_warning: bool = False,
    ) -> None:
        options = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "correct_bias": correct_bias}
        super().__init__(params, options)

    @torch.no_grad()
    def step(self, closure: Callable | None = None) -> Any:
        loss = None if closure is None else closure()
        # names outlive an iteration here, too
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["exp_avg"] = torch.zeros_like(p)
                    state["exp_avg_sq"] = torch.zeros_like(p)
                first, second = state["exp_avg"], state["exp_avg_sq"]
                beta1, beta2 = group["betas"]
                state["step"] += 1
                first.mul_(beta1).add_(grad, alpha=1.0 - beta1)
                second.mul_(beta2).addcmul_(grad, grad, value=1.0 - beta2)
                root = second.sqrt().add_(group["eps"])
                rate = group["lr"]
                if group["correct_bias"]:
                    rate *= math.sqrt(1.0 - beta2 ** state["step"]) / (1.0 - beta1 ** state["step"])
                p.addcdiv_(first, root, value=-rate)
                if group["weight_decay"] > 0.0:
                    p.add_(p, alpha=-group["lr"] * group["weight_decay"])
        return loss


def _ramp(warmup, after):
    return lambda step: step / max(1, warmup) if step < warmup else after(step)


def get_constant_schedule(optimizer: torch.optim.Optimizer, last_epoch: int = -1) -> LambdaLR:
    return LambdaLR(optimizer, lambda _: 1.0, last_epoch)


def get_constant_schedule_with_warmup(
    optimizer: torch.optim.Optimizer, num_warmup_steps: int, last_epoch: int = -1
) -> LambdaLR:
    return LambdaLR(optimizer, _ramp(num_warmup_steps, lambda _: 1.0), last_epoch)


def get_linear_schedule_with_warmup(
    optimizer: torch.optim.Optimizer, num_warmup_steps: Any, num_training_steps: Any, last_epoch: int = -1
) -> LambdaLR:
    left = max(1, num_training_steps - num_warmup_steps)
    return LambdaLR(
        optimizer, _ramp(num_warmup_steps, lambda step: max(0.0, (num_training_steps - step) / left)), last_epoch
    )


def get_cosine_schedule_with_warmup(
    optimizer: torch.optim.Optimizer,
    num_warmup_steps: int,
    num_training_steps: int,
    num_cycles: float = 0.5,
    last_epoch: int = -1,
) -> LambdaLR:
    left = max(1, num_training_steps - num_warmup_steps)

    def wave(step):
        part = (step - num_warmup_steps) / left
        return max(0.0, 0.5 * (1.0 + math.cos(math.pi * num_cycles * 2.0 * part)))

    return LambdaLR(optimizer, _ramp(num_warmup_steps, wave), last_epoch)


_SCHEDULES = {
    "constant": lambda optimizer, warmup, total: get_constant_schedule(optimizer),
    "constant_with_warmup": lambda optimizer, warmup, total: get_constant_schedule_with_warmup(optimizer, warmup),
    "linear": get_linear_schedule_with_warmup,
    "cosine": get_cosine_schedule_with_warmup,
}


def get_scheduler(
    name: str,
    optimizer: torch.optim.Optimizer,
    num_warmup_steps: int | None = 0,
    num_training_steps: int | None = None,
    **_: Any,
) -> Any:
    if name not in _SCHEDULES:
        raise NotImplementedError(f"vramscope has no schedule {name!r}; it has {', '.join(_SCHEDULES)}")
    return _SCHEDULES[name](optimizer, num_warmup_steps, num_training_steps)
