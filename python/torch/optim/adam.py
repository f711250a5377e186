"""Adam, and AdamW, which decays weights apart from the gradient."""

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


class Adam(GroupedOptimizer):
    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        if isinstance(lr, torch.Tensor) and foreach and not capturable:
            raise ValueError("lr as a Tensor is not supported for capturable=False and foreach=True")
        defaults = checked(
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            amsgrad=amsgrad,
            maximize=maximize,
            foreach=foreach,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
        )
        self._decoupled = decoupled_weight_decay
        if rules.adam_groups_say_decoupled:
            defaults["decoupled_weight_decay"] = decoupled_weight_decay
        super().__init__(params, defaults)

    def __setstate__(self, state: dict) -> None:
        self.__dict__.setdefault("_decoupled", isinstance(self, AdamW))
        super().__setstate__(state)

    def _new_state(self, group, param, state):
        state["step"] = step_counter(group, param)
        state["exp_avg"] = zeros_like(param)
        state["exp_avg_sq"] = zeros_like(param)
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = zeros_like(param)

    def _update(self, group):
        lists = self._gather(group, "exp_avg", "exp_avg_sq", "max_exp_avg_sq", "step")
        as_real(lists[0], *lists[1:5])
        kind = self._implementation(group, lists[0])
        group = {"decoupled_weight_decay": self._decoupled, **group}
        if kind == "fused":
            _fused(group, *lists, getattr(self, "grad_scale", None), getattr(self, "found_inf", None))
        elif kind == "foreach":
            _foreach(group, *lists)
        else:
            _loop(group, *lists)


class AdamW(Adam):
    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )


def _loop(group, params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, steps):
    lr, eps, weight_decay = group["lr"], group["eps"], group["weight_decay"]
    beta1, beta2 = group["betas"]
    amsgrad, decoupled = group["amsgrad"], group["decoupled_weight_decay"]
    # The names of one round stay bound while the next round makes its own: the last denominator lives that long.
    for i, param in enumerate(params):
        grad = grads[i] if not group["maximize"] else -grads[i]
        exp_avg = exp_avgs[i]
        exp_avg_sq = exp_avg_sqs[i]
        step_t = steps[i]
        step_t += 1
        if weight_decay != 0:
            if decoupled:
                param.mul_(1 - lr * weight_decay)
            else:
                grad = grad.add(param, alpha=weight_decay)
        exp_avg.lerp_(grad, 1 - beta1)
        exp_avg_sq.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        if group["capturable"] or group["differentiable"]:
            bias_correction1 = 1 - beta1**step_t
            bias_correction2 = 1 - beta2**step_t
            step_size = lr / bias_correction1
            step_size_neg = step_size.neg()
            bias_correction2_sqrt = bias_correction2.sqrt()
            if amsgrad:
                largest = max_exp_avg_sqs[i].clone() if group["differentiable"] else max_exp_avg_sqs[i]
                max_exp_avg_sqs[i].copy_(torch.maximum(largest, exp_avg_sq))
                source = max_exp_avg_sqs[i]
            else:
                source = exp_avg_sq
            denom = (source.sqrt() / (bias_correction2_sqrt * step_size_neg)).add_(eps / step_size_neg)
            if group["differentiable"]:
                param.addcdiv_(exp_avg.clone(), denom)
            else:
                param.addcdiv_(exp_avg, denom)
        else:
            step = value(step_t)
            step_size = ratio(lr, 1 - beta1**step)
            bias_correction2_sqrt = (1 - beta2**step) ** 0.5
            if amsgrad:
                torch.maximum(max_exp_avg_sqs[i], exp_avg_sq, out=max_exp_avg_sqs[i])
                denom = (max_exp_avg_sqs[i].sqrt() / bias_correction2_sqrt).add_(eps)
            else:
                denom = (exp_avg_sq.sqrt() / bias_correction2_sqrt).add_(eps)
            param.addcdiv_(exp_avg, denom, value=-step_size)


def _foreach(group, params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, steps):
    if not params:
        return
    lr, eps, weight_decay = group["lr"], group["eps"], group["weight_decay"]
    beta1, beta2 = group["betas"]
    amsgrad, maximize, decoupled = group["amsgrad"], group["maximize"], group["decoupled_weight_decay"]
    lists = group_by_device_and_dtype([params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, steps])
    for here, g, avgs, sqs, max_sqs, counts in lists.values():
        if maximize:
            g = torch._foreach_neg(g)
        torch._foreach_add_(counts, 1)
        if weight_decay != 0:
            if decoupled:
                torch._foreach_mul_(here, 1 - lr * weight_decay)
            elif maximize or rules.foreach_adam_decays_in_place:
                torch._foreach_add_(g, here, alpha=weight_decay)
            else:
                g = torch._foreach_add(g, here, alpha=weight_decay)
        torch._foreach_lerp_(avgs, g, 1 - beta1)
        torch._foreach_mul_(sqs, beta2)
        if isinstance(beta2, torch.Tensor):
            scaled = torch._foreach_mul(g, 1 - beta2)
            torch._foreach_addcmul_(sqs, scaled, g, 1.0)
            del scaled
        else:
            torch._foreach_addcmul_(sqs, g, g, 1 - beta2)
        if rules.foreach_adam_drops_gradients:
            del g
        if group["capturable"]:
            step_size = torch._foreach_pow(beta1, counts)
            bias_correction2 = torch._foreach_pow(beta2, counts)
            torch._foreach_sub_(step_size, 1)
            torch._foreach_sub_(bias_correction2, 1)
            torch._foreach_neg_(bias_correction2)
            torch._foreach_div_(step_size, lr)
            torch._foreach_reciprocal_(step_size)
            torch._foreach_sqrt_(bias_correction2)
            if amsgrad:
                torch._foreach_maximum_(max_sqs, sqs)
                denom = torch._foreach_sqrt(max_sqs)
            else:
                denom = torch._foreach_sqrt(sqs)
            torch._foreach_div_(denom, bias_correction2)
            torch._foreach_add_(denom, eps)
            torch._foreach_div_(denom, step_size)
            torch._foreach_addcdiv_(here, avgs, denom)
        else:
            step_size = [-ratio(lr, 1 - beta1 ** value(step)) for step in counts]
            bias_correction2 = [(1 - beta2 ** value(step)) ** 0.5 for step in counts]
            if amsgrad:
                torch._foreach_maximum_(max_sqs, sqs)
                denom = torch._foreach_sqrt(max_sqs)
            else:
                denom = torch._foreach_sqrt(sqs)
            torch._foreach_div_(denom, bias_correction2)
            if rules.foreach_adam_adds_epsilon_in_place:
                torch._foreach_add_(denom, eps)
                torch._foreach_addcdiv_(here, avgs, denom, step_size)
            else:
                with_eps = torch._foreach_add(denom, eps)
                torch._foreach_addcdiv_(here, avgs, with_eps, step_size)


def _fused(group, params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, steps, grad_scale, found_inf):
    if not params:
        return
    lr = group["lr"]
    beta1, beta2 = group["betas"]
    lists = group_by_device_and_dtype([params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, steps])
    for (device, _), (here, g, avgs, sqs, max_sqs, counts) in lists.items():
        scale = None if grad_scale is None else grad_scale.to(device, non_blocking=True)
        inf = None if found_inf is None else found_inf.to(device, non_blocking=True)
        torch._foreach_add_(counts, 1)
        update = torch._fused_adamw_ if group["decoupled_weight_decay"] else torch._fused_adam_
        update(
            here,
            g,
            avgs,
            sqs,
            max_sqs,
            counts,
            amsgrad=group["amsgrad"],
            lr=lr,
            beta1=beta1,
            beta2=beta2,
            weight_decay=group["weight_decay"],
            eps=group["eps"],
            maximize=group["maximize"],
            grad_scale=scale,
            found_inf=inf,
        )
        if inf is not None:
            torch._foreach_sub_(counts, [inf] * len(counts))
