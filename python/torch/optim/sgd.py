"""Stochastic gradient descent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.utils._foreach import group_by_device_and_dtype, group_with_indices

from ._settings import checked, require
from ._update import GroupedOptimizer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor


class SGD(GroupedOptimizer):
    _sparse = True

    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float | Tensor = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        defaults = checked(
            lr=lr,
            momentum=momentum,
            dampening=dampening,
            weight_decay=weight_decay,
            nesterov=nesterov,
            maximize=maximize,
            foreach=foreach,
            differentiable=differentiable,
            fused=fused,
        )
        plain = not nesterov or (momentum > 0 and dampening == 0)
        require(plain, "Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, defaults)

    def _state_of(self, group, param):
        return self.state[param] if group["momentum"] != 0 else {}

    def _update(self, group):
        params, grads = self._gather(group)
        momentum = group["momentum"]
        buffers = [self.state[p].get("momentum_buffer") for p in params] if momentum != 0 else []
        kind = self._implementation(group, params)
        if kind == "fused":
            _fused(group, params, grads, buffers, getattr(self, "grad_scale", None), getattr(self, "found_inf", None))
        elif kind == "foreach":
            _foreach(group, params, grads, buffers)
        else:
            _loop(group, params, grads, buffers)
        if momentum != 0:
            for p, buffer in zip(params, buffers):
                self.state[p]["momentum_buffer"] = buffer

    def _implementation(self, group, params):
        if group["fused"] is None and group["foreach"] is None and isinstance(group["lr"], torch.Tensor):
            return super()._implementation({**group, "lr": 0.0}, params)
        return super()._implementation(group, params)


def _loop(group, params, grads, buffers):
    lr, momentum, weight_decay = group["lr"], group["momentum"], group["weight_decay"]
    for i, param in enumerate(params):
        grad = grads[i] if not group["maximize"] else -grads[i]
        if weight_decay != 0:
            grad = grad.add(param, alpha=weight_decay)
        if momentum != 0:
            buf = buffers[i]
            if buf is None:
                buf = grad.detach().clone()
                buffers[i] = buf
            else:
                buf.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
            if group["nesterov"]:
                grad = grad.add(buf, alpha=momentum)
            else:
                grad = buf
        param.add_(grad, alpha=-lr)


def _foreach(group, params, grads, buffers):
    if not params:
        return
    lr, momentum, weight_decay = group["lr"], group["momentum"], group["weight_decay"]
    maximize, keep = group["maximize"], 1 - group["dampening"]
    for (here, g, bufs_here), positions in group_with_indices([params, grads, buffers]).values():
        sparse = any(grad.is_sparse for grad in g)
        if maximize:
            g = torch._foreach_neg(g)
        if weight_decay != 0:
            if maximize:
                torch._foreach_add_(g, here, alpha=weight_decay)
            else:
                g = torch._foreach_add(g, here, alpha=weight_decay)
        if momentum != 0:
            if all(buf is not None for buf in bufs_here):
                bufs = list(bufs_here)
                torch._foreach_mul_(bufs, momentum)
                torch._foreach_add_(bufs, g, alpha=keep)
            else:
                bufs = []
                for i, buf in enumerate(bufs_here):
                    if buf is None:
                        buf = bufs_here[i] = buffers[positions[i]] = g[i].detach().clone()
                    else:
                        buf.mul_(momentum).add_(g[i], alpha=keep)
                    bufs.append(buf)
            if group["nesterov"]:
                torch._foreach_add_(g, bufs, alpha=momentum)
            else:
                g = bufs
        if sparse:
            for i in range(len(here)):
                here[i].add_(g[i], alpha=-lr)
        else:
            torch._foreach_add_(here, g, alpha=-lr)


def _fused(group, params, grads, buffers, grad_scale, found_inf):
    if not params:
        return
    momentum = group["momentum"]
    first = momentum != 0 and all(buf is None for buf in buffers)
    if first:
        for i, g in enumerate(grads):
            buffers[i] = torch.empty_like(g)
    for (device, _), (here, g, bufs) in group_by_device_and_dtype([params, grads, buffers]).items():
        torch._fused_sgd_(
            here,
            g,
            [] if momentum == 0 else bufs,
            weight_decay=group["weight_decay"],
            momentum=momentum,
            lr=group["lr"],
            dampening=group["dampening"],
            nesterov=group["nesterov"],
            maximize=group["maximize"],
            is_first_step=first,
            grad_scale=None if grad_scale is None else grad_scale.to(device),
            found_inf=None if found_inf is None else found_inf.to(device),
        )
