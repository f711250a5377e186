"""RMSprop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.utils._foreach import group_by_device_and_dtype

from ._settings import checked
from ._update import GroupedOptimizer, as_real, step_counter, zeros_like

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor


class RMSprop(GroupedOptimizer):
    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        defaults = checked(
            lr=lr,
            momentum=momentum,
            alpha=alpha,
            eps=eps,
            centered=centered,
            weight_decay=weight_decay,
            capturable=capturable,
            foreach=foreach,
            maximize=maximize,
            differentiable=differentiable,
        )
        super().__init__(params, defaults)

    def _new_state(self, group, param, state):
        state["step"] = step_counter(group, param)
        state["square_avg"] = zeros_like(param)
        if group["momentum"] > 0:
            state["momentum_buffer"] = zeros_like(param)
        if group["centered"]:
            state["grad_avg"] = zeros_like(param)

    def _update(self, group):
        lists = self._gather(group, "square_avg", "grad_avg", "momentum_buffer", "step")
        as_real(*lists[:5])
        (_foreach if self._implementation(group, lists[0]) == "foreach" else _loop)(group, *lists)


def _loop(group, params, grads, square_avgs, grad_avgs, buffers, steps):
    lr, alpha, eps, momentum = group["lr"], group["alpha"], group["eps"], group["momentum"]
    for i, param in enumerate(params):
        step = steps[i]
        grad = grads[i]
        grad = grad if not group["maximize"] else -grad
        square_avg = square_avgs[i]
        step += 1
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        square_avg.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if group["centered"]:
            grad_avg = grad_avgs[i]
            grad_avg.lerp_(grad, 1 - alpha)
            avg = square_avg.addcmul(grad_avg, grad_avg, value=-1).sqrt_()
        else:
            avg = square_avg.sqrt()
        avg = avg.add(eps) if group["differentiable"] else avg.add_(eps)
        if momentum > 0:
            buf = buffers[i]
            buf.mul_(momentum).addcdiv_(grad, avg)
            param.add_(buf, alpha=-lr)
        else:
            param.addcdiv_(grad, avg, value=-lr)


def _foreach(group, params, grads, square_avgs, grad_avgs, buffers, steps):
    if not params:
        return
    lr, alpha, eps, momentum = group["lr"], group["alpha"], group["eps"], group["momentum"]
    weight_decay, maximize = group["weight_decay"], group["maximize"]
    lists = group_by_device_and_dtype([params, grads, square_avgs, grad_avgs, buffers, steps])
    for here, g, squares, averages, bufs, counts in lists.values():
        if maximize:
            g = torch._foreach_neg(g)
        torch._foreach_add_(counts, 1)
        if weight_decay != 0:
            if maximize:
                torch._foreach_add_(g, here, alpha=weight_decay)
            else:
                g = torch._foreach_add(g, here, alpha=weight_decay)
        torch._foreach_mul_(squares, alpha)
        torch._foreach_addcmul_(squares, g, g, value=1 - alpha)
        if group["centered"]:
            torch._foreach_lerp_(averages, g, 1 - alpha)
            avg = torch._foreach_addcmul(squares, averages, averages, value=-1)
            torch._foreach_sqrt_(avg)
        else:
            avg = torch._foreach_sqrt(squares)
        torch._foreach_add_(avg, eps)
        tensor_lr = group["capturable"] and isinstance(lr, torch.Tensor)
        if momentum > 0:
            torch._foreach_mul_(bufs, momentum)
            torch._foreach_addcdiv_(bufs, g, avg)
            if tensor_lr:
                scaled = torch._foreach_mul(bufs, -lr)
                torch._foreach_add_(here, scaled)
            else:
                torch._foreach_add_(here, bufs, alpha=-lr)
        elif tensor_lr:
            torch._foreach_div_(avg, -lr)
            torch._foreach_addcdiv_(here, g, avg)
        else:
            torch._foreach_addcdiv_(here, g, avg, value=-lr)
