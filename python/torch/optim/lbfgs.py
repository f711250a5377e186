"""L-BFGS. Its course depends on values: where nobody knows them, a search goes on as most do, until what it keeps is full."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ._settings import checked
from ._update import Optimizer
from ._wolfe import is_known, most_likely, strong_wolfe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from torch import Tensor

_ALIKE = 3  # rounds with a full history before the others count as like them


class LBFGS(Optimizer):
    def __init__(
        self,
        params: Iterable[Tensor | dict | tuple[str, Tensor]],
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
        *,
        maximize: bool = False,
    ) -> None:
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        defaults = checked(
            lr=lr,
            max_iter=max_iter,
            max_eval=max_eval,
            tolerance_grad=tolerance_grad,
            tolerance_change=tolerance_change,
            history_size=history_size,
            line_search_fn=line_search_fn,
            maximize=maximize,
        )
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def _gather_flat_grad(self):
        views = []
        for p in self._params:
            if p.grad is None:
                view = p.new(p.numel()).zero_()
            elif p.grad.is_sparse:
                view = p.grad.to_dense().view(-1)
            else:
                view = p.grad.view(-1)
            if torch.is_complex(view):
                view = torch.view_as_real(view).view(-1)
            views.append(view)
        flat = torch.cat(views, 0)
        if self.param_groups[0]["maximize"]:
            flat.neg_()
        return flat

    def _add_grad(self, step_size, update):
        offset = 0
        for p in self._params:
            if torch.is_complex(p):
                p = torch.view_as_real(p)
            count = p.numel()
            p.add_(update[offset : offset + count].view_as(p), alpha=step_size)
            offset += count

    def _evaluate(self, closure, start, t, d):
        self._add_grad(t, d)
        loss = self._loss(closure())
        flat_grad = self._gather_flat_grad()
        for p, data in zip(self._params, start):
            p.copy_(data)
        return loss, flat_grad

    def _loss(self, loss):
        return -float(loss) if self.param_groups[0]["maximize"] else float(loss)

    @torch.no_grad()
    def step(self, closure: Callable) -> Any:
        closure = torch.enable_grad()(closure)
        group = self.param_groups[0]
        lr, max_iter, max_eval = group["lr"], group["max_iter"], group["max_eval"]
        tolerance_grad, tolerance_change = group["tolerance_grad"], group["tolerance_change"]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        orig_loss = closure()
        loss = self._loss(orig_loss)
        evaluations = 1
        state["func_evals"] += 1
        flat_grad = self._gather_flat_grad()
        if most_likely(flat_grad.abs().max() <= tolerance_grad, False):
            return orig_loss
        d, t = state.get("d"), state.get("t")
        old_dirs, old_steps, ro = state.get("old_dirs"), state.get("old_stps"), state.get("ro")
        h_diag, prev_flat_grad, prev_loss = state.get("H_diag"), state.get("prev_flat_grad"), state.get("prev_loss")
        n_iter = full = 0
        while n_iter < max_iter:
            n_iter += 1
            state["n_iter"] += 1
            if state["n_iter"] == 1:
                d = flat_grad.neg()
                old_dirs, old_steps, ro = [], [], []
                h_diag = 1
            else:
                y = flat_grad.sub(prev_flat_grad)
                s = d.mul(t)
                ys = y.dot(s)
                if most_likely(ys > 1e-10, True):
                    if len(old_dirs) == group["history_size"]:
                        old_dirs.pop(0)
                        old_steps.pop(0)
                        ro.pop(0)
                    old_dirs.append(y)
                    old_steps.append(s)
                    ro.append(1.0 / ys)
                    h_diag = ys / y.dot(y)
                if "al" not in state:
                    state["al"] = [None] * group["history_size"]
                al = state["al"]
                q = flat_grad.neg()
                for i in range(len(old_dirs) - 1, -1, -1):
                    al[i] = old_steps[i].dot(q) * ro[i]
                    q.add_(old_dirs[i], alpha=-al[i])
                d = r = torch.mul(q, h_diag)
                for i in range(len(old_dirs)):
                    be_i = old_dirs[i].dot(r) * ro[i]
                    r.add_(old_steps[i], alpha=al[i] - be_i)
            if prev_flat_grad is None:
                prev_flat_grad = flat_grad.clone(memory_format=torch.contiguous_format)
            else:
                prev_flat_grad.copy_(flat_grad)
            prev_loss = loss
            t = min(1.0, 1.0 / flat_grad.abs().sum()) * lr if state["n_iter"] == 1 else lr
            gtd = flat_grad.dot(d)
            if most_likely(gtd > -tolerance_change, False):
                break
            here = 0
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                start = [p.clone(memory_format=torch.contiguous_format) for p in self._params]

                def evaluate(x, t, d):
                    return self._evaluate(closure, x, t, d)

                most, first = max_eval - evaluations, state["n_iter"] == 1
                loss, flat_grad, t, here = strong_wolfe(
                    evaluate, start, t, d, loss, flat_grad, gtd, max_evaluations=most, brackets=first
                )
                self._add_grad(t, d)
                converged = most_likely(flat_grad.abs().max() <= tolerance_grad, False)
            else:
                self._add_grad(t, d)
                if n_iter != max_iter:
                    with torch.enable_grad():
                        loss = closure()
                    loss = self._loss(loss)
                    flat_grad = self._gather_flat_grad()
                    converged = most_likely(flat_grad.abs().max() <= tolerance_grad, False)
                    here = 1
            evaluations += here
            state["func_evals"] += here
            if n_iter == max_iter or evaluations >= max_eval or converged:
                break
            if most_likely(d.mul(t).abs().max() <= tolerance_change, False):
                break
            if most_likely(abs(loss - prev_loss) < tolerance_change, False, loss - prev_loss):
                break
            full += len(old_dirs) == group["history_size"] and not is_known(flat_grad)
            if full > _ALIKE:
                state["n_iter"] += max_iter - n_iter
                break
        kept = {"d": d, "t": t, "old_dirs": old_dirs, "old_stps": old_steps, "ro": ro, "H_diag": h_diag}
        state.update(kept, prev_flat_grad=prev_flat_grad, prev_loss=prev_loss)
        return orig_loss
