"""lion_pytorch: the optimizer that keeps one moment and steps by signs; the package itself wins where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.optim import Optimizer

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Lion(Optimizer):
    """One exponential average for each parameter, of its dtype and shape; a step makes one temporary of the parameter's size."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-4,
        betas: tuple[float, float] = (0.9, 0.99),
        weight_decay: float = 0.0,
        cautious_factor: float = 1.0,
        use_triton: bool = False,
        decoupled_weight_decay: bool = False,
    ) -> None:
        super().__init__(params, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Callable | None = None) -> Any:
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self._update(p, group)
        return loss

    def _update(self, p, group):
        state = self.state[p]
        if len(state) == 0:
            state["exp_avg"] = torch.zeros_like(p)
        average, (first, second) = state["exp_avg"], group["betas"]
        p.data.mul_(1.0 - group["lr"] * group["weight_decay"])
        update = average.clone().mul_(first).add(p.grad, alpha=1.0 - first).sign_()
        p.add_(update, alpha=-group["lr"])
        average.mul_(second).add_(p.grad, alpha=1.0 - second)
