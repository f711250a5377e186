"""Adopt with an arctangent: the step uses the second moment of the steps before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.optim import Optimizer

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class AdoptAtan2(Optimizer):
    """Two averages for each parameter, of its gradient's dtype and shape; the first step only makes them."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-4,
        betas: tuple[float, float] = (0.9, 0.99),
        weight_decay: float = 0.0,
        regen_reg_rate: float = 0.0,
        decoupled_wd: bool = True,
        cautious_factor: float = 1.0,
        a: float = 1.27,
        b: float = 1.0,
    ) -> None:
        rows = {"lr": lr, "betas": betas, "a": a, "b": b, "weight_decay": weight_decay}
        super().__init__(params, rows | {"regen_reg_rate": regen_reg_rate, "cautious_factor": cautious_factor})
        self._first_lr, self.decoupled_wd = lr, decoupled_wd

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

    def _update(self, p, grad, group, state):
        lr, regenerates = group["lr"], group["regen_reg_rate"]
        decay = group["weight_decay"] / (self._first_lr if self.decoupled_wd else 1)
        if regenerates > 0 and "param_init" in state:
            p.lerp_(state["param_init"], lr / self._first_lr * regenerates)
        if decay > 0:
            p.mul_(1.0 - lr * decay)
        if not state:
            state["steps"] = 1
            state["m"], state["v"] = torch.zeros_like(grad), grad * grad
            if regenerates > 0:
                state["param_init"] = p.clone()
            return
        mean, square, scale = state["m"], state["v"], 1.0
        if group["cautious_factor"] < 1.0:
            agrees = (mean * grad) > 0
            scale = torch.where(agrees, torch.ones_like(grad), group["cautious_factor"])
            scale /= scale.mean().clamp(min=1e-5)
        squared = grad * grad
        update = grad.atan2(group["b"] * square.sqrt())
        mean.lerp_(update, 1.0 - group["betas"][0])
        p.add_(mean * scale, alpha=-lr * group["a"])
        square.lerp_(squared, 1.0 - group["betas"][1])
        state["steps"] += 1
