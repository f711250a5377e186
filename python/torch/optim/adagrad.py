"""Adagrad."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._release import rules
from torch.utils._foreach import group_by_device_and_dtype

from ._settings import checked
from ._update import GroupedOptimizer, as_real, step_counter, value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor


class Adagrad(GroupedOptimizer):
    _sparse = True

    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        defaults = checked(
            lr=lr,
            lr_decay=lr_decay,
            eps=eps,
            weight_decay=weight_decay,
            initial_accumulator_value=initial_accumulator_value,
            foreach=foreach,
            maximize=maximize,
            differentiable=differentiable,
            fused=fused,
        )
        super().__init__(params, defaults)
        # Unlike the others, the state is made here, for parameters that may never get a gradient too.
        for group in self.param_groups:
            for p in group["params"]:
                self._new_state(group, p, self.state[p])

    def _new_state(self, group, param, state):
        start = self.defaults["initial_accumulator_value"]
        state["step"] = step_counter({"fused": group["fused"]}, param)
        state["sum"] = torch.full_like(
            param, complex(start, start) if torch.is_complex(param) else start, memory_format=torch.preserve_format
        )

    def share_memory(self) -> None:
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["sum"].share_memory_()

    def _update(self, group):
        lists = self._gather(group, "sum", "step")
        as_real(*lists[:3])
        kind = self._implementation(group, lists[0])
        if kind == "fused":
            _fused(group, *lists, getattr(self, "grad_scale", None), getattr(self, "found_inf", None))
        elif kind == "foreach":
            _foreach(group, *lists)
        else:
            _loop(group, *lists)


def _sparse_like(grad, indices, values):
    return torch.sparse_coo_tensor(indices, values, grad.size())


def _loop(group, params, grads, sums, steps):
    weight_decay, eps = group["weight_decay"], group["eps"]
    for param, grad, state_sum, step_t in zip(params, grads, sums, steps):
        step_t += 1
        step = value(step_t)
        grad = grad if not group["maximize"] else -grad
        if weight_decay != 0:
            if grad.is_sparse:
                raise RuntimeError("weight_decay option is not compatible with sparse gradients")
            grad = grad.add(param, alpha=weight_decay)
        rate = group["lr"] / (1 + (step - 1) * group["lr_decay"])
        if grad.is_sparse:
            grad = grad.coalesce()
            indices, values = grad._indices(), grad._values()
            state_sum.add_(_sparse_like(grad, indices, values.pow(2)))
            std = state_sum.sparse_mask(grad)
            std_values = std._values().sqrt_().add_(eps)
            param.add_(_sparse_like(grad, indices, values / std_values), alpha=-rate)
        else:
            state_sum.addcmul_(grad, grad, value=1)
            std = state_sum.sqrt() + eps if group["differentiable"] else state_sum.sqrt().add_(eps)
            param.addcdiv_(grad, std, value=-rate)


def _foreach(group, params, grads, sums, steps):
    if not params:
        return
    weight_decay, maximize = group["weight_decay"], group["maximize"]
    for here, g, sums_here, counts in group_by_device_and_dtype([params, grads, sums, steps]).values():
        if any(grad.is_sparse for grad in g):
            _loop(group, here, g, sums_here, counts)
            continue
        if maximize:
            g = torch._foreach_neg(g)
        torch._foreach_add_(counts, 1)
        if weight_decay != 0:
            if maximize and rules.foreach_adagrad_writes_in_place:
                torch._foreach_add_(g, here, alpha=weight_decay)
            else:
                g = torch._foreach_add(g, here, alpha=weight_decay)
        rates = [-group["lr"] / (1 + (value(step) - 1) * group["lr_decay"]) for step in counts]
        torch._foreach_addcmul_(sums_here, g, g, value=1)
        if not rules.foreach_adagrad_writes_in_place:
            std = torch._foreach_add(torch._foreach_sqrt(sums_here), group["eps"])
            change = torch._foreach_div(torch._foreach_mul(g, rates), std)
            torch._foreach_add_(here, change)
            continue
        std = torch._foreach_sqrt(sums_here)
        torch._foreach_add_(std, group["eps"])
        if weight_decay != 0 or maximize:
            torch._foreach_mul_(g, rates)
            numerator = g
        else:
            numerator = torch._foreach_mul(g, rates)
        torch._foreach_addcdiv_(here, numerator, std)


def _fused(group, params, grads, sums, steps, grad_scale, found_inf):
    for (device, _), (here, g, sums_here, counts) in group_by_device_and_dtype([params, grads, sums, steps]).items():
        inf = None if found_inf is None else found_inf.to(device, non_blocking=True)
        torch._foreach_add_(counts, 1)
        torch._fused_adagrad_(
            here,
            g,
            sums_here,
            counts,
            lr=group["lr"],
            lr_decay=group["lr_decay"],
            weight_decay=group["weight_decay"],
            eps=group["eps"],
            maximize=group["maximize"],
            grad_scale=None if grad_scale is None else grad_scale.to(device, non_blocking=True),
            found_inf=inf,
        )
        if inf is not None:
            torch._foreach_sub_(counts, [inf] * len(counts))
