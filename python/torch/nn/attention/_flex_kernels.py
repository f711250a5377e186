"""The two ways of flex_attention: operators that write out all scores, as it runs without torch.compile, and the kernel that compiling it makes.

What lives how long is that of torch/_higher_order_ops/flex_attention.py (operators) and of torch/_inductor/kernel/flex (kernel).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from ... import _C
from ..._release import rules
from ...autograd.function import Function
from ...autograd.graph import get_gradient_edge
from ...func._index_maps import IndexContext
from ._block_mask import mapped

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


_DECODING_BELOW = 128  # queries


def _strides_like(sizes, strides):
    """Dense strides in the order of those given, elements of the last dimension side by side."""
    last = len(sizes) - 1
    # of equal strides that of the later dimension comes first
    order = sorted(range(len(sizes)), key=lambda d: strides[d], reverse=True)[::-1]
    order.remove(last)
    result, step = [0] * len(sizes), 1
    for dim in [last, *order]:
        result[dim] = step
        step *= sizes[dim]
    return result


def _dense_like(sizes, model):
    return torch.empty_strided(sizes, _strides_like(sizes, model.stride()), dtype=model.dtype, device=model.device)


def _copied_like(out, model):
    new = out.new_empty_strided(out.shape, _strides_like(out.shape, model.stride()))
    new.copy_(out)
    return new


def _copied_to(grad, model):
    new = grad.new_empty_strided(grad.shape, model.stride())
    new.copy_(grad)
    return new


def _indices(scores):
    return [torch.arange(0, scores.size(dim), device=scores.device) for dim in range(4)]


def _scores(query, key, work):
    if rules.flex_scores_from_floats:
        return query.to(work) @ key.to(work).transpose(-2, -1)
    return (query @ key.transpose(-2, -1)).to(dtype=work)


def _masked_scores(query, key, score_mod, mask_mod, scale):
    """The scores, and what the two functions make of them."""
    work = torch.float64 if query.dtype == torch.float64 else torch.float32
    scores = _scores(query, key, work)
    b, h, m, n = _indices(scores)
    with IndexContext():
        scores = (scores * scale).to(work)
        changed = torch.where(
            mapped(mask_mod)(b, h, m, n),
            mapped(score_mod, prefix=(0,))(scores, b, h, m, n),
            torch.tensor(-float("inf"), dtype=work, device=scores.device),
        )
    return scores, changed


def _by_operators(query, key, value, score_mod, mask_mod, scale):
    group = query.size(1) // key.size(1)
    value = torch.repeat_interleave(value, group, dim=1)
    key = torch.repeat_interleave(key, group, dim=1)
    key = key.expand((query.size(0), *key.size()[1:]))
    value = value.expand((query.size(0), *value.size()[1:]))
    # the name keeps the scores until the end, as in PyTorch
    _, changed = _masked_scores(query, key, score_mod, mask_mod, scale)
    logsumexp = changed.logsumexp(dim=-1)
    masked = torch.all(changed == -float("inf"), dim=-1)
    logsumexp = torch.where(masked, -float("inf"), logsumexp)
    largest = torch.max(changed, dim=-1)[0] if rules.flex_kernel_keeps_maxima else None
    changed = _C.ops._safe_softmax(changed, -1)
    out = changed.to(query.dtype) @ (value.to(query.dtype) if rules.flex_scores_from_floats else value)
    return out, logsumexp / math.log(2), None if largest is None else largest / math.log(2)


class ByOperators(Function):
    """All scores are written out, forward and backward."""

    @staticmethod
    def forward(
        ctx: Any,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        call: tuple[Callable, Callable, float],
        kept: list,
        *used: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        ctx.set_materialize_grads(not rules.flex_skips_gradient_of_logsumexp)
        ctx.call = call
        out, logsumexp, largest = _by_operators(query, key, value, *call)
        out = _copied_like(out, query)
        if largest is not None:
            ctx.mark_non_differentiable(largest)
        ctx.save_for_backward(query, key, value, out, logsumexp, largest, *kept, *used)
        ctx.used = len(used)
        return out, logsumexp, largest

    @staticmethod
    def backward(ctx: Any, grad_out: Tensor, grad_logsumexp: Tensor, _: Any) -> tuple:
        query, key, value, out, logsumexp, largest, *kept = ctx.saved_tensors
        used = kept[len(kept) - ctx.used :]
        score_mod, mask_mod, scale = ctx.call
        grads, of_used = _gradients_by_operators(
            query, key, value, out, logsumexp, grad_out, grad_logsumexp, score_mod, mask_mod, scale, used
        )
        return *grads, None, None, *of_used


def _gradients_by_operators(
    query, key, value, out, logsumexp, grad_out, grad_logsumexp, score_mod, mask_mod, scale, used
):
    batch, heads_kv = query.size(0), key.size(1)
    key_batch = key.size(0)
    result_query = _copied_like(query.new_empty(query.shape), query)
    result_key = _copied_like(key.new_empty((batch, *key.shape[1:])), key)
    result_value = _copied_like(value.new_empty((batch, *value.shape[1:])), value)
    results_used = [
        torch.empty_like(t, memory_format=torch.contiguous_format) if t.requires_grad else None for t in used
    ]

    key = key.expand((batch, *key.size()[1:]))
    value = value.expand((batch, *value.size()[1:]))
    group = query.size(1) // heads_kv
    key = torch.repeat_interleave(key, group, dim=1)
    value = torch.repeat_interleave(value, group, dim=1)
    if grad_out is None:
        grad_out = torch.zeros_like(out)
    if grad_logsumexp is None:
        grad_logsumexp = torch.zeros_like(logsumexp)
    logsumexp = logsumexp * math.log(2)
    grad_logsumexp = grad_logsumexp / math.log(2)
    scores, changed = _masked_scores(query, key, score_mod, mask_mod, scale)
    masked = logsumexp == -float("inf")
    weights = torch.exp(changed - logsumexp.unsqueeze(-1))
    weights = torch.where(masked.unsqueeze(-1), 0, weights)

    grad_value = weights.to(query.dtype).transpose(-2, -1) @ grad_out
    if rules.flex_scores_from_floats:
        grad_weights = grad_out.to(dtype=weights.dtype) @ value.to(dtype=weights.dtype).transpose(-2, -1)
        sums = torch.sum(out.to(dtype=weights.dtype) * grad_out.to(dtype=weights.dtype), -1, keepdim=True)
    else:
        grad_weights = grad_out @ value.transpose(-2, -1)
        sums = torch.sum(out * grad_out, -1, keepdim=True)
    grad_changed = weights * (grad_weights - sums + grad_logsumexp.unsqueeze(-1))

    b, h, m, n = _indices(scores)
    grad_scores, grads_used = _through_score_mod(score_mod, scores, (b, h, m, n), grad_changed, used)
    grad_scores = grad_scores * scale
    grad_scores = grad_scores.to(query.dtype)
    with IndexContext():
        mask = mapped(mask_mod)(b, h, m, n)
        grad_scores = torch.where(mask, grad_scores, torch.tensor(0, dtype=query.dtype))

    grad_query = grad_scores @ key
    grad_key = grad_scores.transpose(-2, -1) @ query
    grad_key = grad_key.view(grad_key.size(0), -1, group, grad_key.size(-2), grad_key.size(-1))
    grad_value = grad_value.view(grad_value.size(0), -1, group, grad_value.size(-2), grad_value.size(-1))
    grad_key = torch.sum(grad_key, 2, keepdim=False)
    grad_value = torch.sum(grad_value, 2, keepdim=False)
    result_query.copy_(grad_query)
    result_key.copy_(grad_key)
    result_value.copy_(grad_value)
    if batch != key_batch:
        result_key = torch.sum(result_key, 0, keepdim=True)
        result_value = torch.sum(result_value, 0, keepdim=True)
    of_used = [r if r is None or g is None else r.copy_(g) for r, g in zip(results_used, grads_used)]
    return (result_query, result_key, result_value), of_used


def _through_score_mod(score_mod, scores, at, grad, used):
    """The gradient of the scores, and those of tensors that the function uses."""
    with torch.enable_grad(), IndexContext():
        inputs = scores.detach().requires_grad_()
        out = mapped(score_mod, prefix=(0,))(inputs, *at)
        if out is inputs or not out.requires_grad:
            return grad, [None] * len(used)
        wanted = [t for t in used if t.requires_grad]
        # PyTorch's graph of both ways leaves out what only the result needs
        edge = get_gradient_edge(out)
        del out
        of_scores, *of_used = torch.autograd.grad(edge, [inputs, *wanted], grad, allow_unused=True)
    found = iter(of_used)
    return of_scores, [next(found) if t.requires_grad else None for t in used]


class ByKernel(Function):
    """One kernel forward and one backward: no scores are written out."""

    @staticmethod
    def forward(
        ctx: Any, query: Tensor, key: Tensor, value: Tensor, options: dict[str, Any], kept: list, *used: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        ctx.set_materialize_grads(not rules.flex_skips_gradient_of_logsumexp)
        batch, heads, queries = query.shape[:3]
        sizes = (batch, heads, queries, value.shape[-1])
        largest = None
        if _decodes(query, value, kept[1], options):
            out, logsumexp = _by_decoding(query, value, sizes, options["OUTPUT_LOGSUMEXP"])
        else:
            logsumexp = torch.empty(sizes[:3], dtype=torch.float32, device=query.device)
            if rules.flex_kernel_keeps_maxima:
                largest = torch.empty(sizes[:3], dtype=torch.float32, device=query.device)
            out = _dense_like(sizes, query)
        if largest is not None:
            ctx.mark_non_differentiable(largest)
        ctx.save_for_backward(query, key, value, out, logsumexp, *kept, *used)
        ctx.used = len(used)
        return out, logsumexp, largest if options["OUTPUT_MAX"] else None

    @staticmethod
    def backward(ctx: Any, grad_out: Tensor, grad_logsumexp: Tensor, _: Any) -> tuple:
        query, key, value, out, logsumexp, *kept = ctx.saved_tensors
        used = kept[len(kept) - ctx.used :]
        batch = query.size(0)
        if grad_out is not None and grad_out.stride() != out.stride():
            # compiled code is handed gradients laid out as it was compiled for
            grad_out = _copied_to(grad_out, out)
        delta = torch.empty(out.shape[:3], dtype=torch.float32, device=out.device)
        of_logsumexp = None if grad_logsumexp is None else torch.empty_like(delta)
        grad_query = _dense_like(query.shape, query)
        grad_value = _dense_like((batch, *value.shape[1:]), value)
        sums = [torch.zeros(t.shape, dtype=torch.float32, device=t.device) if t.requires_grad else None for t in used]
        grad_key = _dense_like((batch, *key.shape[1:]), key)
        del delta, of_logsumexp, grad_out
        if batch != key.size(0):
            grad_key = torch.sum(grad_key, 0, keepdim=True)
            grad_value = torch.sum(grad_value, 0, keepdim=True)
        of_used = [s if s is None else s.to(t.dtype) for s, t in zip(sums, used)]
        return grad_query, grad_key, grad_value, None, None, *of_used


def _decodes(query, value, kv_indices, options):
    """Whether few queries are shared out over keys (torch/_inductor/kernel/flex/flex_decoding.py)."""
    asked = options.get("BACKEND", "AUTO")
    if asked != "AUTO":
        return asked == "TRITON_DECODE"
    heads, group = query.size(1), query.size(1) // value.size(1)
    shared = kv_indices.size(1)
    return (
        not options.get("FORCE_USE_FLEX_ATTENTION", False)
        and not options["OUTPUT_MAX"]
        and query.size(-2) < _DECODING_BELOW
        and (shared == 1 or (group == 1 and shared == heads))
        and group & (group - 1) == 0
    )


def _by_decoding(query, value, sizes, recorded):
    """Parts of the result for each share of the keys, which are then put together."""
    batch, heads, queries, width = sizes
    processors = torch.cuda.get_device_properties(query.device).multi_processor_count
    parts = max(processors // max(batch * value.size(1), 1) * 2, 1)
    largest = torch.empty((batch, parts, heads, queries), dtype=torch.float32, device=query.device)
    totals = torch.empty_like(largest)
    results = torch.empty((batch, parts, heads, queries, width), dtype=torch.float32, device=query.device)
    rows = (batch, heads, queries)
    top = torch.empty((batch, 1, heads, queries), dtype=torch.float32, device=query.device)
    total = torch.empty(rows, dtype=torch.float32, device=query.device)
    logsumexp = torch.empty(rows, dtype=torch.float32, device=query.device) if recorded else None
    del totals
    out = _dense_like(sizes, query)
    del largest, results, top, total
    return out, logsumexp
