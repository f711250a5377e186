"""Adadelta."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.utils._foreach import group_by_device_and_dtype

from ._settings import checked
from ._update import GroupedOptimizer, as_real, step_counter, zeros_like

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor


class Adadelta(GroupedOptimizer):
    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        defaults = checked(
            lr=lr,
            rho=rho,
            eps=eps,
            weight_decay=weight_decay,
            maximize=maximize,
            capturable=capturable,
            foreach=foreach,
            differentiable=differentiable,
        )
        super().__init__(params, defaults)

    def _new_state(self, group, param, state):
        state["step"] = step_counter(group, param)
        state["square_avg"] = zeros_like(param)
        state["acc_delta"] = zeros_like(param)

    def _update(self, group):
        lists = self._gather(group, "square_avg", "acc_delta", "step")
        as_real(*lists[:4])
        (_foreach if self._implementation(group, lists[0]) == "foreach" else _loop)(group, *lists)


def _loop(group, params, grads, square_avgs, acc_deltas, steps):
    lr, rho, eps, weight_decay = group["lr"], group["rho"], group["eps"], group["weight_decay"]
    for param, grad, square_avg, acc_delta, step in zip(params, grads, square_avgs, acc_deltas, steps):
        step += 1
        grad = grad if not group["maximize"] else -grad
        if weight_decay != 0:
            grad = grad.add(param, alpha=weight_decay)
        square_avg.mul_(rho).addcmul_(grad, grad, value=1 - rho)
        std = square_avg.add(eps).sqrt_()
        delta = acc_delta.add(eps).sqrt_()
        if group["differentiable"]:
            delta = delta.clone()
        delta.div_(std).mul_(grad)
        acc_delta.mul_(rho).addcmul_(delta, delta, value=1 - rho)
        param.add_(delta, alpha=-lr)


def _foreach(group, params, grads, square_avgs, acc_deltas, steps):
    lr, rho, eps, weight_decay = group["lr"], group["rho"], group["eps"], group["weight_decay"]
    if not params:
        return
    for here, g, squares, accs, counts in group_by_device_and_dtype(
        [params, grads, square_avgs, acc_deltas, steps]
    ).values():
        torch._foreach_add_(counts, 1)
        if group["maximize"]:
            g = torch._foreach_neg(g)
        if weight_decay != 0:
            if group["maximize"]:
                torch._foreach_add_(g, here, alpha=weight_decay)
            else:
                g = torch._foreach_add(g, here, alpha=weight_decay)
        torch._foreach_mul_(squares, rho)
        torch._foreach_addcmul_(squares, g, g, value=1 - rho)
        std = torch._foreach_add(squares, eps)
        torch._foreach_sqrt_(std)
        deltas = torch._foreach_add(accs, eps)
        torch._foreach_sqrt_(deltas)
        torch._foreach_div_(deltas, std)
        torch._foreach_mul_(deltas, g)
        torch._foreach_mul_(accs, rho)
        torch._foreach_addcmul_(accs, deltas, deltas, value=1 - rho)
        if group["capturable"] and isinstance(lr, torch.Tensor):
            torch._foreach_mul_(deltas, -lr)
            torch._foreach_add_(here, deltas)
        else:
            torch._foreach_add_(here, deltas, alpha=-lr)
