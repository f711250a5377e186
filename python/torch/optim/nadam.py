"""NAdam: Adam with Nesterov momentum."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.utils._foreach import group_by_device_and_dtype

from ._settings import checked
from ._update import GroupedOptimizer, as_real, ratio, step_counter, value, zeros_like

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor


class NAdam(GroupedOptimizer):
    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
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
            momentum_decay=momentum_decay,
            decoupled_weight_decay=decoupled_weight_decay,
            maximize=maximize,
            foreach=foreach,
            capturable=capturable,
            differentiable=differentiable,
        )
        super().__init__(params, defaults)

    def _new_state(self, group, param, state):
        state["step"] = step_counter(group, param)
        state["mu_product"] = step_counter(group, param, start=1.0)
        state["exp_avg"] = zeros_like(param)
        state["exp_avg_sq"] = zeros_like(param)

    def _update(self, group):
        lists = self._gather(group, "exp_avg", "exp_avg_sq", "mu_product", "step")
        as_real(*lists[:4])
        (_foreach if self._implementation(group, lists[0]) == "foreach" else _loop)(group, *lists)


def _momentum(beta1, step, decay):
    return beta1 * (1.0 - 0.5 * (0.96 ** (step * decay)))


def _loop(group, params, grads, exp_avgs, exp_avg_sqs, mu_products, steps):
    lr, eps, weight_decay, decay = group["lr"], group["eps"], group["weight_decay"], group["momentum_decay"]
    beta1, beta2 = group["betas"]
    for i, param in enumerate(params):
        grad = grads[i] if not group["maximize"] else -grads[i]
        exp_avg = exp_avgs[i]
        exp_avg_sq = exp_avg_sqs[i]
        mu_product = mu_products[i]
        step_t = steps[i]
        step_t += 1
        step = step_t if group["capturable"] else value(step_t)
        bias_correction2 = 1 - beta2**step
        if weight_decay != 0:
            if group["decoupled_weight_decay"]:
                param.mul_(1 - lr * weight_decay)
            else:
                grad = grad.add(param, alpha=weight_decay)
        mu = _momentum(beta1, step, decay)
        mu_next = _momentum(beta1, step + 1, decay)
        mu_product *= mu
        exp_avg.lerp_(grad, 1 - beta1)
        exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        denom = exp_avg_sq.div(bias_correction2).sqrt()
        if group["differentiable"] or group["capturable"]:
            denom = denom.add(eps)
            mu_product_next = mu_product * mu_next
            grad = grad * (-lr * (1.0 - mu) / (1.0 - mu_product))
            exp_avg = exp_avg * (-lr * mu_next / (1.0 - mu_product_next))
            param.addcdiv_(grad, denom)
            param.addcdiv_(exp_avg, denom)
        else:
            product = value(mu_product)
            denom.add_(eps)
            param.addcdiv_(grad, denom, value=ratio(-lr * (1.0 - mu), 1.0 - product))
            param.addcdiv_(exp_avg, denom, value=ratio(-lr * mu_next, 1.0 - product * mu_next))


def _foreach(group, params, grads, exp_avgs, exp_avg_sqs, mu_products, steps):
    if not params:
        return
    lr, eps, weight_decay, decay = group["lr"], group["eps"], group["weight_decay"], group["momentum_decay"]
    beta1, beta2 = group["betas"]
    lists = group_by_device_and_dtype([params, grads, exp_avgs, exp_avg_sqs, mu_products, steps])
    for here, g, avgs, sqs, products, counts in lists.values():
        if group["maximize"]:
            g = torch._foreach_neg(g)
        torch._foreach_add_(counts, 1)
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
        denominators = torch._foreach_sqrt(sqs)
        if group["capturable"]:
            exponent = torch._foreach_mul(counts, decay)
            mus = _capturable_momentum(beta1, exponent)
            torch._foreach_add_(exponent, decay)
            mu_nexts = _capturable_momentum(beta1, exponent)
            del exponent
            corrections = torch._foreach_pow(beta2, counts)
            torch._foreach_sub_(corrections, 1.0)
            torch._foreach_neg_(corrections)
            torch._foreach_sqrt_(corrections)
        else:
            corrections = [(1 - beta2 ** value(step)) ** 0.5 for step in counts]
            mus = [_momentum(beta1, value(step), decay) for step in counts]
            mu_nexts = [_momentum(beta1, value(step) + 1, decay) for step in counts]
        torch._foreach_mul_(products, mus)
        torch._foreach_div_(denominators, corrections)
        torch._foreach_add_(denominators, eps)
        del corrections
        if group["capturable"]:
            torch._foreach_sub_(mus, 1.0)
            torch._foreach_mul_(mus, lr)
            divisor = torch._foreach_sub(products, 1.0)
            torch._foreach_neg_(divisor)
            torch._foreach_div_(mus, divisor)
            del divisor
            divisor = torch._foreach_mul(products, mu_nexts)
            torch._foreach_mul_(mu_nexts, lr)
            torch._foreach_sub_(divisor, 1.0)
            torch._foreach_div_(mu_nexts, divisor)
            del divisor
            numerator = torch._foreach_mul(mus, g)
            torch._foreach_addcmul_(numerator, mu_nexts, avgs)
            torch._foreach_addcdiv_(here, numerator, denominators)
        else:
            rate = value(lr)
            of_grads = [-ratio(rate * (1.0 - mu), 1.0 - value(p)) for p, mu in zip(products, mus)]
            of_averages = [-ratio(rate * mu, 1.0 - value(p) * mu) for p, mu in zip(products, mu_nexts)]
            torch._foreach_addcdiv_(here, g, denominators, of_grads)
            torch._foreach_addcdiv_(here, avgs, denominators, of_averages)


def _capturable_momentum(beta1, exponent):
    mus = torch._foreach_pow(0.96, exponent)
    torch._foreach_mul_(mus, -0.5)
    torch._foreach_add_(mus, 1.0)
    torch._foreach_mul_(mus, beta1)
    return mus
