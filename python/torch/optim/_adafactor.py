"""Adafactor: second moments of matrices kept as a row and a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.utils._foreach import group_by_device_and_dtype

from ._settings import require
from ._update import Optimizer, scalar_dtype, value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from torch import Tensor


class Adafactor(Optimizer):
    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        require(lr >= 0, f"Learning rate should be >= 0 but is: {lr}")
        require(beta2_decay <= 0, f"beta2_decay should be <= 0 but is: {beta2_decay}")
        require(eps[0] is None or eps[0] >= 0, f"epsilon1 should be >= 0 but is: {eps[0]}")
        require(eps[1] >= 0, f"epsilon2 should be >= 0 but is: {eps[1]}")
        require(d >= 1, f"Clipping threshold d should be >= 1 but is: {d}")
        require(weight_decay >= 0, f"weight_decay should be >= 0 but is: {weight_decay}")
        defaults = dict(
            lr=lr,
            beta2_decay=beta2_decay,
            eps=eps,
            d=d,
            weight_decay=weight_decay,
            foreach=foreach,
            maximize=maximize,
        )
        super().__init__(params, defaults)

    def _gather(self, group):
        found = [[] for _ in range(6)]
        for p in group["params"]:
            if p.grad is None:
                continue
            state = self.state[p]
            if len(state) == 0:
                state["step"] = torch.tensor(0.0, dtype=scalar_dtype(), device="cpu")
                if p.grad.dim() > 1:
                    shape = list(p.grad.shape)
                    state["row_var"] = p.grad.new_zeros([*shape[:-1], 1])
                    state["col_var"] = p.grad.new_zeros([*shape[:-2], 1, shape[-1]])
                else:
                    state["variance"] = torch.zeros_like(p.grad, memory_format=torch.preserve_format)
            keys = ("row_var", "col_var", "variance")
            for out, entry in zip(found, (p, p.grad, *(state.get(key) for key in keys), state["step"])):
                out.append(entry)
        return found

    @torch.no_grad()
    def step(self, closure: Callable | None = None) -> Any:
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            (_foreach if group["foreach"] else _loop)(group, *self._gather(group))
        return loss


def _loop(group, params, grads, row_vars, col_vars, variances, steps):
    lr, d, (eps1, eps2) = group["lr"], group["d"], group["eps"]
    for i, param in enumerate(params):
        grad = grads[i] if not group["maximize"] else -grads[i]
        step_t, row_var, col_var, variance = steps[i], row_vars[i], col_vars[i], variances[i]
        if eps1 is None:
            eps1 = torch.finfo(param.dtype).eps
        step_t += 1
        count = value(step_t)
        keep = count ** group["beta2_decay"]
        rho_t = min(lr, 1 / (count**0.5))
        alpha = max(eps2, param.norm(2).item() / (param.numel() ** 0.5)) * rho_t
        if group["weight_decay"] != 0:
            param.mul_(1 - lr * group["weight_decay"])
        if grad.dim() > 1:
            row_mean = torch.linalg.vector_norm(grad, dim=-1, keepdim=True).square_().div_(grad.size(-1))
            row_var.lerp_(row_mean, keep)
            col_mean = torch.linalg.vector_norm(grad, dim=-2, keepdim=True).square_().div_(grad.size(-2))
            col_var.lerp_(col_mean, keep)
            estimate = row_var @ col_var
            estimate.div_(row_var.mean(dim=-2, keepdim=True).clamp_(min=eps1))
        else:
            grad_squared = grad * grad
            variance.lerp_(grad_squared, keep)
            estimate = variance.clone()
        update = estimate.clamp_(min=eps1 * eps1).rsqrt_()
        update.mul_(grad)
        denom = max(1.0, update.norm(2).item() / ((update.numel() ** 0.5) * d))
        param.add_(update, alpha=-alpha / denom)


def _by_kind(lists):
    """Groups of one device and dtype, matrices apart from vectors."""
    groups = {}
    for key, found in group_by_device_and_dtype(lists).items():
        for i, grad in enumerate(found[1]):
            target = groups.setdefault((*key, grad.dim() > 1), [[] for _ in found])
            for out, source in zip(target, found):
                out.append(source[i])
    return groups


def _foreach(group, params, grads, row_vars, col_vars, variances, steps):
    if not params:
        return
    lr, d, (eps1, eps2) = group["lr"], group["d"], group["eps"]
    lists = _by_kind([params, grads, row_vars, col_vars, variances, steps])
    for (_, dtype, matrices), (here, g, rows, cols, plain, counts) in lists.items():
        if eps1 is None:
            eps1 = torch.finfo(dtype).eps
        if group["maximize"]:
            g = torch._foreach_neg(g)
        torch._foreach_add_(counts, 1.0)
        keeps = [value(step) ** group["beta2_decay"] for step in counts]
        rhos = [min(lr, 1 / (value(step) ** 0.5)) for step in counts]
        alphas = [max(eps2, p.norm(2).item() / (p.numel() ** 0.5)) * r for p, r in zip(here, rhos)]
        if group["weight_decay"] != 0:
            torch._foreach_mul_(here, 1 - lr * group["weight_decay"])
        if matrices:
            means = [torch.linalg.vector_norm(grad, dim=-1, keepdim=True) for grad in g]
            torch._foreach_mul_(means, means)
            torch._foreach_div_(means, [grad.size(-1) for grad in g])
            torch._foreach_lerp_(rows, means, keeps)
            del means
            means = [torch.linalg.vector_norm(grad, dim=-2, keepdim=True) for grad in g]
            torch._foreach_mul_(means, means)
            torch._foreach_div_(means, [grad.size(-2) for grad in g])
            torch._foreach_lerp_(cols, means, keeps)
            del means
            estimates = [row @ col for row, col in zip(rows, cols)]
            row_means = [row.mean(dim=-2, keepdim=True) for row in rows]
            torch._foreach_clamp_min_(row_means, eps1)
            torch._foreach_div_(estimates, row_means)
            del row_means
        else:
            squares = torch._foreach_mul(g, g)
            torch._foreach_lerp_(plain, squares, keeps)
            del squares
            estimates = [v.clone() for v in plain]
        torch._foreach_clamp_min_(estimates, eps1 * eps1)
        torch._foreach_rsqrt_(estimates)
        torch._foreach_mul_(estimates, g)
        updates = estimates  # PyTorch's second name for them: it holds them until the next group has made its own
        alphas = [-a / max(1.0, u.norm(2).item() / ((u.numel() ** 0.5) * d)) for a, u in zip(alphas, updates)]
        torch._foreach_mul_(updates, alphas)
        torch._foreach_add_(here, updates)
