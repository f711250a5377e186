"""Muon: momentum, orthogonalised by a few Newton-Schulz rounds in bfloat16."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from torch._release import rules

from ._settings import require
from ._update import Optimizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from torch import Tensor


def _orthogonalised(grad, coefficients, rounds, eps):
    if rounds >= 100:
        raise ValueError("Number of steps must be less than 100 for computational efficiency")
    a, b, c = coefficients
    result = grad.to(torch.bfloat16, copy=rules.muon_copies_gradient)
    if grad.size(0) > grad.size(1):
        result = result.T
    result.div_(result.norm().clamp(min=eps))
    for _ in range(rounds):
        gram = result @ result.T
        update = torch.addmm(gram, gram, gram, beta=b, alpha=c)
        result = torch.addmm(result, update, result, beta=a)
    if grad.size(0) > grad.size(1):
        result = result.T
    return result


def _rate(lr, how, shape):
    rows, cols = shape[:2]
    if how in (None, "original"):
        return lr * math.sqrt(max(1, rows / cols))
    if how == "match_rms_adamw":
        return lr * 0.2 * math.sqrt(max(rows, cols))
    return lr * math.sqrt(rows / cols)


class Muon(Optimizer):
    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.775, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        require(lr >= 0, f"Learning rate should be >= 0 but is: {lr}")
        require(momentum >= 0, f"momentum should be >= 0 but is: {momentum}")
        require(weight_decay >= 0, f"weight decay should be >= 0 but is: {weight_decay}")
        known = adjust_lr_fn in (None, "original", "match_rms_adamw", "spectral_unclamped")
        require(known, f"Adjust learning rate function {adjust_lr_fn} is not supported")
        defaults = dict(
            lr=lr,
            weight_decay=weight_decay,
            momentum=momentum,
            nesterov=nesterov,
            ns_coefficients=ns_coefficients,
            eps=eps,
            ns_steps=ns_steps,
            adjust_lr_fn=adjust_lr_fn,
        )
        super().__init__(params, defaults)
        for group in self.param_groups:
            for p in group["params"]:
                if p.ndim != 2:
                    raise ValueError(
                        f"Muon only supports 2D parameters whereas we found a parameter with size: {p.size()}"
                    )

    def _gather(self, group):
        params, grads, buffers = [], [], []
        for p in group["params"]:
            if p.grad is None:
                continue
            params.append(p)
            grads.append(p.grad)
            state = self.state[p]
            if "momentum_buffer" not in state:
                state["momentum_buffer"] = torch.zeros_like(p.grad, memory_format=torch.preserve_format)
            buffers.append(state["momentum_buffer"])
        return params, grads, buffers

    @torch.no_grad()
    def step(self, closure: Callable | None = None) -> Any:
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            _loop(group, *self._gather(group))
        return loss


def _loop(group, params, grads, buffers):
    lr, momentum = group["lr"], group["momentum"]
    for i, param in enumerate(params):
        grad = grads[i]
        buf = buffers[i]
        buf.lerp_(grad, 1 - momentum)
        update = grad.lerp(buf, momentum) if group["nesterov"] else buf
        update = _orthogonalised(update, group["ns_coefficients"], group["ns_steps"], group["eps"])
        adjusted = _rate(lr, group["adjust_lr_fn"], param.shape)
        param.mul_(1 - lr * group["weight_decay"])
        param.add_(update, alpha=-adjusted)
