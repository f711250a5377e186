"""adam_atan2_pytorch: Adam with an arctangent in the place of a division; the package itself wins where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks
from torch.optim import Optimizer

from ._adopt import AdoptAtan2

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


__getattr__ = lacks("adam_atan2_pytorch")


class AdamAtan2(Optimizer):
    """Two exponential averages for each parameter, of its gradient's dtype and shape; a step holds two temporaries of that size."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-4,
        betas: tuple[float, float] = (0.9, 0.99),
        weight_decay: float = 0.0,
        regen_reg_rate: float = 0.0,
        decoupled_wd: bool = False,
        cautious_wd: bool = False,
        cautious_factor: float = 1.0,
        a: float = 1.27,
        b: float = 1.0,
    ) -> None:
        if lr <= 0:
            raise AssertionError
        rows = {"lr": lr, "betas": betas, "a": a, "b": b, "weight_decay": weight_decay, "cautious_wd": cautious_wd}
        super().__init__(params, rows | {"regen_reg_rate": regen_reg_rate, "cautious_factor": cautious_factor})
        for group in self.param_groups if decoupled_wd else ():
            group["weight_decay"] /= lr
            group["regen_reg_rate"] /= lr

    @torch.no_grad()
    def step(self, closure: Callable | None = None) -> Any:
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self._update(p, p.grad, group, self.state[p])
        return loss

    @staticmethod
    def _update(p, grad, group, state):
        lr, regenerates = group["lr"], group["regen_reg_rate"]
        if regenerates > 0 and "param_init" in state:
            p.lerp_(state["param_init"], lr * regenerates)
        if not state:
            state["steps"] = 0
            state["exp_avg"], state["exp_avg_sq"] = torch.zeros_like(grad), torch.zeros_like(grad)
            if regenerates > 0:
                state["param_init"] = p.clone()
        state["steps"] += 1
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        first, second = (1.0 - beta ** state["steps"] for beta in group["betas"])
        mean.lerp_(grad, 1.0 - group["betas"][0])
        square.lerp_(grad * grad, 1.0 - group["betas"][1])
        divisor = square.mul(group["b"] ** 2 / second).sqrt_()
        update = mean.mul(1.0 / first).atan2_(divisor)
        if group["cautious_factor"] < 1.0:
            agrees = (update * grad) > 0
            scale = torch.where(agrees, torch.ones_like(grad), group["cautious_factor"])
            update *= scale / scale.mean().clamp(min=1e-5)
        if group["weight_decay"] > 0:
            where = (update * p > 0).float() if group["cautious_wd"] else 1.0
            p.mul_(1.0 - lr * group["weight_decay"] * where)
        p.add_(update, alpha=-lr * group["a"])


Adam, Adopt = AdamAtan2, AdoptAtan2
