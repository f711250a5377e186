"""Adam for sparse gradients: only the rows with a gradient move."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from ._settings import checked, require
from ._update import Optimizer, zeros_like

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from torch import Tensor


class SparseAdam(Optimizer):
    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        require(lr > 0, f"Invalid learning rate: {lr}")
        require(eps > 0, f"Invalid epsilon value: {eps}")
        super().__init__(params, checked(lr=lr, betas=betas, eps=eps, maximize=maximize))

    @torch.no_grad()
    def step(self, closure: Callable | None = None) -> Any:
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                if not p.grad.is_sparse:
                    raise RuntimeError("SparseAdam does not support dense gradients, please consider Adam instead")
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["exp_avg"] = zeros_like(p)
                    state["exp_avg_sq"] = zeros_like(p)
                state["step"] += 1
            for p in group["params"]:
                if p.grad is not None:
                    state = self.state[p]
                    _update(group, p, p.grad, state["exp_avg"], state["exp_avg_sq"], state["step"])
        return loss


def _update(group, param, grad, exp_avg, exp_avg_sq, step):
    beta1, beta2 = group["betas"]
    grad = grad if not group["maximize"] else -grad
    grad = grad.coalesce()
    indices, values = grad._indices(), grad._values()
    if values.numel() == 0:
        return

    def sparse(v):
        return torch.sparse_coo_tensor(indices, v, grad.size())

    old_avg = exp_avg.sparse_mask(grad)._values()
    avg_update = values.sub(old_avg).mul_(1 - beta1)
    exp_avg.add_(sparse(avg_update))
    old_sq = exp_avg_sq.sparse_mask(grad)._values()
    sq_update = values.pow(2).sub_(old_sq).mul_(1 - beta2)
    exp_avg_sq.add_(sparse(sq_update))
    numer = avg_update.add_(old_avg)
    sq_update.add_(old_sq)
    denom = sq_update.sqrt_().add_(group["eps"])
    del avg_update, sq_update
    rate = group["lr"] * math.sqrt(1 - beta2**step) / (1 - beta1**step)
    param.add_(sparse(-rate * numer.div_(denom)))
