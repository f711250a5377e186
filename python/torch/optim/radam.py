"""RAdam: Adam with a rectified variance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.utils._foreach import group_by_device_and_dtype

from ._settings import checked
from ._update import GroupedOptimizer, as_real, ratio, step_counter, value, zeros_like

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor


class RAdam(GroupedOptimizer):
    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        defaults = checked(
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            maximize=maximize,
            foreach=foreach,
            capturable=capturable,
            decoupled_weight_decay=decoupled_weight_decay,
            differentiable=differentiable,
        )
        super().__init__(params, defaults)

    def _new_state(self, group, param, state):
        state["step"] = step_counter(group, param)
        state["exp_avg"] = zeros_like(param)
        state["exp_avg_sq"] = zeros_like(param)

    def _update(self, group):
        lists = self._gather(group, "exp_avg", "exp_avg_sq", "step")
        as_real(*lists[:4])
        (_foreach if self._implementation(group, lists[0]) == "foreach" else _loop)(group, *lists)


def _rectifier(rho_t, rho_inf):
    return ((rho_t - 4) * (rho_t - 2) * rho_inf / ((rho_inf - 4) * (rho_inf - 2) * rho_t)) ** 0.5


def _loop(group, params, grads, exp_avgs, exp_avg_sqs, steps):
    lr, eps, weight_decay = group["lr"], group["eps"], group["weight_decay"]
    beta1, beta2 = group["betas"]
    rho_inf = 2 / (1 - beta2) - 1
    for i, param in enumerate(params):
        grad = grads[i] if not group["maximize"] else -grads[i]
        exp_avg = exp_avgs[i]
        exp_avg_sq = exp_avg_sqs[i]
        step_t = steps[i]
        step_t += 1
        step = step_t if group["capturable"] else value(step_t)
        if weight_decay != 0:
            if group["decoupled_weight_decay"]:
                param.mul_(1 - lr * weight_decay)
            else:
                grad = grad.add(param, alpha=weight_decay)
        exp_avg.lerp_(grad, 1 - beta1)
        exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        bias_correction1 = 1 - beta1**step
        bias_correction2 = 1 - beta2**step
        corrected = exp_avg / bias_correction1
        rho_t = rho_inf - 2 * step * (beta2**step) / bias_correction2

        def adaptive():
            root = exp_avg_sq.sqrt()
            root = root.add(eps) if group["differentiable"] else root.add_(eps)
            return (bias_correction2**0.5) / root

        if group["capturable"]:
            update = torch.where(rho_t > 5.0, _rectifier(rho_t, rho_inf) * adaptive(), 1.0)
            param.add_(corrected * lr * update, alpha=-1.0)
        elif rho_t > 5.0:
            param.add_(corrected * lr * adaptive() * _rectifier(rho_t, rho_inf), alpha=-1.0)
        else:
            param.add_(corrected * lr, alpha=-1.0)


def _foreach(group, params, grads, exp_avgs, exp_avg_sqs, steps):
    if not params:
        return
    lr, eps, weight_decay = group["lr"], group["eps"], group["weight_decay"]
    beta1, beta2 = group["betas"]
    rho_inf = 2 / (1 - beta2) - 1
    for here, g, avgs, sqs, counts in group_by_device_and_dtype([params, grads, exp_avgs, exp_avg_sqs, steps]).values():
        torch._foreach_add_(counts, 1)
        if group["maximize"]:
            g = torch._foreach_neg(g)
        if group["capturable"]:
            lengths = _capturable_lengths(beta2, counts, rho_inf)
        else:
            powers = [(value(step), beta2 ** value(step)) for step in counts]
            lengths = [rho_inf - 2 * step * power / (1 - power) for step, power in powers]
        if weight_decay != 0:
            if group["decoupled_weight_decay"]:
                torch._foreach_mul_(here, 1 - lr * weight_decay)
            elif group["maximize"]:
                torch._foreach_add_(g, here, alpha=weight_decay)
            else:
                g = torch._foreach_add(g, here, alpha=weight_decay)
        torch._foreach_lerp_(avgs, g, 1 - beta1)
        torch._foreach_mul_(sqs, beta2)
        torch._foreach_addcmul_(sqs, g, g, 1 - beta2)
        del g
        if group["capturable"]:
            rates, corrections = _capturable_rates(lengths, rho_inf, beta1, beta2, counts, lr)
        else:
            rects = [_rectifier(rho_t, rho_inf) if rho_t > 5 else 0 for rho_t in lengths]
            firsts = [1 - beta1 ** value(step) for step in counts]
            rates = [-ratio(0.0 if rect > 0 else lr, first) for rect, first in zip(rects, firsts)]
            corrections = [
                -((1 - beta2 ** value(step)) ** 0.5) * ratio(lr * rect, first)
                for step, rect, first in zip(counts, rects, firsts)
            ]
        del lengths
        buffer = torch._foreach_sqrt(sqs)
        torch._foreach_add_(buffer, eps)
        torch._foreach_div_(buffer, corrections)
        torch._foreach_reciprocal_(buffer)
        torch._foreach_add_(buffer, rates)
        torch._foreach_addcmul_(here, avgs, buffer)


def _capturable_lengths(beta2, counts, rho_inf):
    complement = torch._foreach_pow(beta2, counts)
    torch._foreach_neg_(complement)
    torch._foreach_add_(complement, 1)
    lengths = torch._foreach_pow(beta2, counts)
    torch._foreach_mul_(lengths, counts)
    torch._foreach_mul_(lengths, 2)
    torch._foreach_div_(lengths, complement)
    torch._foreach_neg_(lengths)
    torch._foreach_add_(lengths, rho_inf)
    return lengths


def _capturable_rates(lengths, rho_inf, beta1, beta2, counts, lr):
    num = torch._foreach_sub(lengths, 4)
    second = torch._foreach_sub(lengths, 2)
    torch._foreach_mul_(num, second)
    del second
    torch._foreach_mul_(num, rho_inf)
    denom = torch._foreach_mul(lengths, (rho_inf - 4) * (rho_inf - 2))
    torch._foreach_div_(num, denom)
    del denom
    torch._foreach_sqrt_(num)
    rects = [torch.where(rho_t > 5.0, n, 0.0) for n, rho_t in zip(num, lengths)]
    del num
    rates = [torch.where(rect > 0, 0.0, 1.0) for rect in rects]
    torch._foreach_mul_(rates, lr)
    first = torch._foreach_pow(beta1, counts)
    torch._foreach_neg_(first)
    torch._foreach_add_(first, 1)
    torch._foreach_div_(rates, first)
    torch._foreach_neg_(rates)
    corrections = torch._foreach_pow(beta2, counts)
    torch._foreach_neg_(corrections)
    torch._foreach_add_(corrections, 1)
    torch._foreach_sqrt_(corrections)
    torch._foreach_mul_(corrections, lr)
    torch._foreach_mul_(corrections, rects)
    del rects
    torch._foreach_neg_(corrections)
    torch._foreach_div_(corrections, first)
    return rates, corrections
