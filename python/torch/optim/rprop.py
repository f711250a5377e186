"""Resilient backpropagation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.utils._foreach import group_by_device_and_dtype

from ._settings import checked, require
from ._update import GroupedOptimizer, as_real, step_counter, zeros_like

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor


class Rprop(GroupedOptimizer):
    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        defaults = checked(
            lr=lr,
            etas=etas,
            step_sizes=step_sizes,
            foreach=foreach,
            maximize=maximize,
            differentiable=differentiable,
            capturable=capturable,
        )
        require(0 < etas[0] < 1 < etas[1], f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(params, defaults)

    def _new_state(self, group, param, state):
        state["step"] = step_counter(group, param)
        state["prev"] = zeros_like(param)
        lr = group["lr"]
        state["step_size"] = torch.full_like(param.grad, complex(lr, lr) if param.dtype.is_complex else lr)

    def _update(self, group):
        lists = self._gather(group, "prev", "step_size", "step")
        as_real(*lists[:4])
        (_foreach if self._implementation(group, lists[0]) == "foreach" else _loop)(group, *lists)


def _to_factors(sign, etaminus, etaplus, capturable):
    if capturable:
        sign.copy_(torch.where(sign.gt(0), etaplus, sign))
        sign.copy_(torch.where(sign.lt(0), etaminus, sign))
        sign.copy_(torch.where(sign.eq(0), 1, sign))
    else:
        sign[sign.gt(0)] = etaplus
        sign[sign.lt(0)] = etaminus
        sign[sign.eq(0)] = 1


def _loop(group, params, grads, prevs, step_sizes, steps):
    etaminus, etaplus = group["etas"]
    smallest, largest = group["step_sizes"]
    for i, param in enumerate(params):
        grad = grads[i]
        grad = grad if not group["maximize"] else -grad
        prev, step_size, step = prevs[i], step_sizes[i], steps[i]
        step += 1
        sign = grad.mul(prev.clone()).sign() if group["differentiable"] else grad.mul(prev).sign()
        _to_factors(sign, etaminus, etaplus, group["capturable"])
        step_size.mul_(sign).clamp_(smallest, largest)
        grad = grad.clone(memory_format=torch.preserve_format)
        if group["capturable"]:
            grad.copy_(torch.where(sign.eq(etaminus), 0, grad))
        else:
            grad[sign.eq(etaminus)] = 0
        param.addcmul_(grad.sign(), step_size, value=-1)
        prev.copy_(grad)


def _foreach(group, params, grads, prevs, step_sizes, steps):
    if not params:
        return
    etaminus, etaplus = group["etas"]
    smallest, largest = group["step_sizes"]
    for here, g, prevs_here, sizes, counts in group_by_device_and_dtype(
        [params, grads, prevs, step_sizes, steps]
    ).values():
        torch._foreach_add_(counts, 1)
        signs = torch._foreach_mul(g, prevs_here)
        if group["maximize"]:
            torch._foreach_neg_(signs)
        torch._foreach_copy_(prevs_here, g)
        if group["maximize"]:
            torch._foreach_neg_(prevs_here)
        g = prevs_here
        torch._foreach_sign_(signs)
        for sign in signs:
            _to_factors(sign, etaminus, etaplus, group["capturable"])
        torch._foreach_mul_(sizes, signs)
        for step_size in sizes:
            step_size.clamp_(smallest, largest)
        for i in range(len(g)):
            g[i].copy_(torch.where(signs[i].eq(etaminus), 0, g[i]))
        del signs  # the loop variable above still holds the last sign, as in PyTorch
        directions = [grad.sign() for grad in g]
        torch._foreach_addcmul_(here, directions, sizes, value=-1)
