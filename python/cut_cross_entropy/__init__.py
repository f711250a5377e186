"""Stand-in for cut_cross_entropy: the loss of a linear head whose logits never exist in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

    from torch.autograd.function import FunctionCtx
    from torch import Tensor


__getattr__ = lacks("cut_cross_entropy")

IGNORE_INDEX = -100
# gradients below are left out by default, and the vocabulary is then ordered by its mean logits
_BLOCK = 128


def _ceil(count, size):
    return -(-count // size)


class _LinearCrossEntropy(torch.autograd.Function):
    """e [tokens, width], c [vocabulary, width]. Kept: both, and a float32 per token and per row of c."""

    @staticmethod
    def forward(ctx: FunctionCtx, e: Any, c: Any, bias: Tensor, settings: Any) -> Any:
        targets, valids, reduction, orders = settings
        dtypes = (e.dtype, c.dtype)
        if torch.is_autocast_enabled("cuda"):
            low = torch.get_autocast_dtype("cuda")
            e, c = e.to(low), c.to(low)
            bias = bias if bias is None else bias.to(low)
        tokens = e.shape[0] if valids is None else valids.shape[0]
        needs = any(ctx.needs_input_grad[:3])
        lse = e.new_full((tokens,), -float("inf"), dtype=torch.float32)
        locks = e.new_full((_ceil(tokens, _BLOCK),), 0, dtype=torch.int32)
        means = e.new_full((c.shape[0],), 0.0, dtype=torch.float32) if needs and orders else None
        del locks
        nll = e.new_empty((tokens,), dtype=torch.float32).add_(lse)
        ctx.save_for_backward(e, c, bias, lse, targets, valids, means)
        ctx.dtypes = dtypes
        return nll.mean() if reduction == "mean" else nll.sum() if reduction == "sum" else nll

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        e, c, bias, lse, _, _, means = ctx.saved_tensors
        needs_e, needs_c, needs_bias = ctx.needs_input_grad[:3]
        order = None if means is None else torch.argsort(means).to(torch.int32)
        de = torch.zeros_like(e) if needs_e else None
        dc = torch.zeros_like(c) if needs_c else None
        dbias = torch.zeros_like(bias, dtype=torch.float32) if needs_bias and bias is not None else None
        columns = _ceil(c.shape[1], 64)
        locks = [
            t.new_zeros((_ceil(rows, _BLOCK), columns), dtype=torch.int32)
            for t, rows, made in ((e, lse.shape[0], de), (c, c.shape[0], dc))
            if made is not None
        ]
        del locks, order
        back = [None if made is None else made.to(dtype) for made, dtype in zip((de, dc), ctx.dtypes)]
        return back[0], back[1], dbias, None


def linear_cross_entropy(
    e: Any,
    c: Any,
    targets: Any,
    bias: Tensor | None = None,
    ignore_index: Any = IGNORE_INDEX,
    softcap: Any = None,
    reduction: str = "mean",
    shift: int = 0,
    return_lse: bool = False,
    filter_eps: str = "auto",
    impl: str = "cce",
    **_: Any,
) -> Any:
    """Cross-entropy of `e @ c.T + bias`: e [..., width], c [vocabulary, width], targets [...]; with `shift` each token is
    compared with the one after it. Gradients have the dtypes of e and c."""
    if impl not in ("cce", "cce_exact"):
        raise NotImplementedError(f"vramscope has no implementation {impl!r} of linear_cross_entropy; it has 'cce'")
    if return_lse:
        raise NotImplementedError("vramscope's linear_cross_entropy returns no log-sum-exp")
    if e.shape[:-1] != targets.shape:
        raise AssertionError(f"e has {tuple(e.shape[:-1])} tokens, targets {tuple(targets.shape)}")
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"Unknown reduction {reduction}")
    shift = int(shift)
    e, targets = e.contiguous(), targets.contiguous()
    valids = None
    if shift:
        counted = targets[..., shift:]
        # every token is taken to count: values are not known
        valids = torch.zeros(counted.numel(), dtype=torch.int32, device=targets.device)
    return _LinearCrossEntropy.apply(
        e.flatten(0, -2), c, bias, (targets.flatten(), valids, reduction, filter_eps is not None and impl == "cce")
    )
