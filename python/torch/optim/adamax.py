"""Adamax: Adam with the infinity norm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._release import rules
from torch.utils._foreach import group_by_device_and_dtype

from ._settings import checked
from ._update import GroupedOptimizer, as_real, ratio, step_counter, value, zeros_like

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor


class Adamax(GroupedOptimizer):
    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        defaults = checked(
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            foreach=foreach,
            maximize=maximize,
            differentiable=differentiable,
            capturable=capturable,
        )
        super().__init__(params, defaults)

    def _new_state(self, group, param, state):
        state["step"] = step_counter(group, param)
        state["exp_avg"] = zeros_like(param)
        state["exp_inf"] = zeros_like(param)

    def _update(self, group):
        lists = self._gather(group, "exp_avg", "exp_inf", "step")
        as_real(*lists[:4])
        (_foreach if self._implementation(group, lists[0]) == "foreach" else _loop)(group, *lists)


def _loop(group, params, grads, exp_avgs, exp_infs, steps):
    lr, eps, weight_decay = group["lr"], group["eps"], group["weight_decay"]
    beta1, beta2 = group["betas"]
    for i, param in enumerate(params):
        grad = grads[i]
        grad = grad if not group["maximize"] else -grad
        exp_avg = exp_avgs[i]
        exp_inf = exp_infs[i]
        step_t = steps[i]
        step_t += 1
        if weight_decay != 0:
            grad = grad.add(param, alpha=weight_decay)
        exp_avg.lerp_(grad, 1 - beta1)
        if not group["differentiable"] and rules.adamax_writes_maximum:
            torch.maximum(exp_inf.mul_(beta2), grad.abs().add_(eps), out=exp_inf)
        else:
            norm_buf = torch.cat([exp_inf.mul_(beta2).unsqueeze(0), grad.abs().add_(eps).unsqueeze_(0)], 0)
            exp_inf.copy_(torch.amax(norm_buf, 0, keepdim=False))
        if group["capturable"]:
            correction = beta1**step_t - 1
            correction.div_(lr)
            denom = exp_inf * correction
            param.addcdiv_(exp_avg, denom)
        else:
            param.addcdiv_(exp_avg, exp_inf, value=-ratio(lr, 1 - beta1 ** value(step_t)))


def _foreach(group, params, grads, exp_avgs, exp_infs, steps):
    if not params:
        return
    lr, eps, weight_decay, maximize = group["lr"], group["eps"], group["weight_decay"], group["maximize"]
    beta1, beta2 = group["betas"]
    for here, g, avgs, infs, counts in group_by_device_and_dtype([params, grads, exp_avgs, exp_infs, steps]).values():
        if maximize:
            g = torch._foreach_neg(g)
        torch._foreach_add_(counts, 1)
        if weight_decay != 0:
            if maximize:
                torch._foreach_add_(g, here, alpha=weight_decay)
            else:
                g = torch._foreach_add(g, here, alpha=weight_decay)
        torch._foreach_lerp_(avgs, g, 1 - beta1)
        torch._foreach_mul_(infs, beta2)
        if not maximize and weight_decay == 0:
            g = torch._foreach_abs(g)
        else:
            torch._foreach_abs_(g)
        torch._foreach_add_(g, eps)
        torch._foreach_maximum_(infs, g)
        if group["capturable"]:
            corrections = torch._foreach_pow(beta1, counts)
            torch._foreach_sub_(corrections, 1)
            torch._foreach_div_(corrections, lr)
            denom = torch._foreach_mul(infs, corrections)
            torch._foreach_addcdiv_(here, avgs, denom)
        else:
            rates = [-ratio(value(lr), 1 - beta1 ** value(step)) for step in counts]
            torch._foreach_addcdiv_(here, avgs, infs, rates)
