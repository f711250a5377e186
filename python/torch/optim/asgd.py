"""Averaged stochastic gradient descent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.utils._foreach import group_by_device_and_dtype

from ._settings import checked
from ._update import GroupedOptimizer, as_real, scalar_dtype, value, zeros_like

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor


class ASGD(GroupedOptimizer):
    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        defaults = checked(
            lr=lr,
            lambd=lambd,
            alpha=alpha,
            t0=t0,
            weight_decay=weight_decay,
            foreach=foreach,
            maximize=maximize,
            differentiable=differentiable,
            capturable=capturable,
        )
        super().__init__(params, defaults)

    def _new_state(self, group, param, state):
        where = {"device": param.device, "dtype": scalar_dtype()}
        state["step"] = torch.zeros((), **where)
        state["eta"] = torch.as_tensor(group["lr"], **where).clone().detach()
        state["mu"] = torch.ones((), **where)
        state["ax"] = zeros_like(param)

    def _update(self, group):
        lists = self._gather(group, "ax", "mu", "eta", "step")
        as_real(*lists[:3])
        (_foreach if self._implementation(group, lists[0]) == "foreach" else _loop)(group, *lists)


def _loop(group, params, grads, axs, mus, etas, steps):
    lr, lambd, alpha, t0 = group["lr"], group["lambd"], group["alpha"], group["t0"]
    capturable = group["capturable"]
    for i, param in enumerate(params):
        grad = grads[i]
        grad = grad if not group["maximize"] else -grad
        mu, ax, eta, step_t = mus[i], axs[i], etas[i], steps[i]
        step_t += 1
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        if capturable:
            param.mul_(1 - lambd * eta)
            param.addcmul_(grad, eta, value=-1)
        else:
            rate = value(eta)
            param.mul_(1 - lambd * rate)
            param.add_(grad, alpha=-rate)
        if capturable or mu.item() != 1:
            ax.add_(param.sub(ax).mul_(mu))
        else:
            ax.copy_(param)
        if capturable:
            eta.copy_(lr / ((1 + lambd * lr * step_t) ** alpha))
            mu.copy_(1 / torch.maximum(step_t - t0, torch.ones_like(step_t)))
        else:
            step = value(step_t)
            new_eta = torch.as_tensor(lr / ((1 + lambd * lr * step) ** alpha))
            eta.copy_(new_eta)
            new_mu = torch.as_tensor(1 / max(1, step - t0))
            mu.copy_(new_mu)


def _foreach(group, params, grads, axs, mus, etas, steps):
    if not params:
        return
    lr, lambd, alpha, t0 = group["lr"], group["lambd"], group["alpha"], group["t0"]
    weight_decay, maximize = group["weight_decay"], group["maximize"]
    lists = group_by_device_and_dtype([params, grads, axs, mus, etas, steps])
    for (device, _), (here, g, averages, mus_here, etas_here, counts) in lists.items():
        if maximize:
            g = torch._foreach_neg(g)
        torch._foreach_add_(counts, 1)
        if weight_decay != 0:
            if maximize:
                torch._foreach_add_(g, here, alpha=weight_decay)
                intermediate = g
            else:
                intermediate = torch._foreach_add(g, here, alpha=weight_decay)
            torch._foreach_add_(intermediate, here, alpha=lambd)
        else:
            intermediate = torch._foreach_add(g, here, alpha=lambd)
        torch._foreach_addcmul_(here, intermediate, etas_here, value=-1)
        del intermediate
        intermediate = torch._foreach_sub(here, averages)
        torch._foreach_addcmul_(averages, intermediate, mus_here)
        del intermediate
        if group["capturable"]:
            new_mus = torch._foreach_sub(counts, t0)
            torch._foreach_maximum_(new_mus, 1.0)
            torch._foreach_reciprocal_(new_mus)
            torch._foreach_copy_(mus_here, new_mus)
            del new_mus
            new_etas = torch._foreach_mul(counts, lambd)
            torch._foreach_mul_(new_etas, lr)
            torch._foreach_add_(new_etas, 1)
            torch._foreach_pow_(new_etas, alpha)
            torch._foreach_reciprocal_(new_etas)
            torch._foreach_mul_(new_etas, lr)
            torch._foreach_copy_(etas_here, new_etas)
        else:
            new_etas = [torch.as_tensor(lr / ((1 + lambd * lr * step) ** alpha), device=device) for step in counts]
            new_mus = [torch.as_tensor(1 / max(1, value(step) - t0), device=device) for step in counts]
            torch._foreach_copy_(etas_here, new_etas)
            torch._foreach_copy_(mus_here, new_mus)
