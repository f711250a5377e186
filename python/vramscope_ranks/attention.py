"""Core attention by backend, rotary embedding, and the self-attention around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .adapters import adapter, added
from .linear import Column, Norm, Row, shared_buffer
from .recompute import again

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from vramscope_ranks.job import Job
    from torch.autograd.function import FunctionCtx
    from torch import Tensor


class Softmax(torch.autograd.Function):
    """The fused scaled masked softmax: a result of the scores' size, its gradient in place of the one that comes."""

    @staticmethod
    def forward(ctx: FunctionCtx, scores: Any) -> Tensor:
        out = torch.empty_like(scores)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> Any:
        return grad


class Fused(torch.autograd.Function):
    """One kernel (cuDNN or FlashAttention): keeps its inputs, its result and a log-sum-exp in float32 per row and head."""

    @staticmethod
    def forward(ctx: FunctionCtx, q: Tensor, k: Tensor, v: Tensor, value_dim: Any) -> Tensor:
        rows, batch, heads, _ = q.shape
        out = torch.empty(rows, batch, heads, value_dim, dtype=q.dtype, device=q.device)
        lse = torch.empty(batch, heads, rows, 1, dtype=torch.float32, device=q.device)
        state = torch.empty(2, dtype=torch.int64, device=q.device)
        ctx.save_for_backward(q, k, v, out, lse, state)
        return out

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        q, k, v, out, lse, _ = ctx.saved_tensors
        # sums of rows, and the query's gradient in float32 until all blocks are added
        sums = torch.empty_like(lse)
        wide = torch.empty(q.shape, dtype=torch.float32, device=q.device)
        if q.shape == k.shape == v.shape:
            three = torch.empty(3, *q.shape, dtype=q.dtype, device=q.device)
            del sums, wide
            return three[0], three[1], three[2], None
        grads = [torch.empty(part.shape, dtype=part.dtype, device=part.device) for part in (q, k, v)]
        del sums, wide
        return *grads, None


class Ring(torch.autograd.Function):
    """Context parallel attention over `cp` ranks: two blocks of keys and values are on the way; partial results in float32."""

    @staticmethod
    def forward(ctx: FunctionCtx, q: Tensor, k: Tensor, v: Tensor, value_dim: Any, ranks: int) -> Tensor:
        rows, batch, heads, _ = q.shape
        pair = k.numel() + v.numel()
        first = torch.empty(pair, dtype=k.dtype, device=k.device)
        blocks = [first] + [torch.empty(pair, dtype=k.dtype, device=k.device) for _ in range(ranks - 1)]
        partial = [torch.empty(rows, batch, heads, value_dim, dtype=q.dtype, device=q.device) for _ in range(ranks)]
        lses = [torch.empty(batch, heads, rows, 1, dtype=torch.float32, device=q.device) for _ in range(ranks)]
        wide = torch.empty(rows, batch, heads, value_dim, dtype=torch.float32, device=q.device)
        out = torch.empty(rows, batch, heads, value_dim, dtype=q.dtype, device=q.device)
        ctx.save_for_backward(q, blocks[-1], out, *lses)
        ctx.shapes = k.shape, v.shape
        del partial, wide
        return out

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        q, pair, *_ = ctx.saved_tensors
        other = [torch.empty_like(pair) for _ in range(2)]
        sums = [torch.empty(pair.shape, dtype=pair.dtype, device=pair.device) for _ in range(2)]
        dq = torch.empty(q.shape, dtype=q.dtype, device=q.device)
        part = torch.empty(q.shape, dtype=q.dtype, device=q.device)
        keys, values = ctx.shapes
        del other, sums, part
        return dq, q.new_empty(keys), q.new_empty(values), None, None


class Exchanged(torch.autograd.Function):
    """All-to-all between context ranks: all rows of some heads from some rows of all heads, or back; nothing is kept."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, ranks: Any) -> Tensor:
        rows, batch, heads, width = ctx.shape = x.shape
        shape = (
            (rows * ranks, batch, heads // ranks, width)
            if ranks > 0
            else (rows // -ranks, batch, heads * -ranks, width)
        )
        return torch.empty(shape, dtype=x.dtype, device=x.device)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        return torch.empty(ctx.shape, dtype=grad.dtype, device=grad.device), None


def exchanged_attention(q: Tensor, k: Tensor, v: Tensor, value_dim: Any, ranks: Any) -> Any:
    """Context ranks share out the heads while attention lasts (AttnFuncWithCPAndQKVOA2A of Transformer Engine)."""
    q, k, v = (Exchanged.apply(part, ranks) for part in (q, k, v))
    out = Fused.apply(q, k, v, value_dim)
    del q, k, v
    return Exchanged.apply(out, -ranks)


class Rotary(torch.autograd.Function):
    """Rotary embedding in one kernel: a new tensor both ways."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor) -> Tensor:
        return torch.empty(x.shape, dtype=x.dtype, device=x.device)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> Tensor:
        return torch.empty(grad.shape, dtype=grad.dtype, device=grad.device)


def rotate(job: Job, x: Tensor) -> Any:
    if job.fused_rope:
        return Rotary.apply(x)
    half = torch.cat((-x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]), dim=-1)
    table = torch.empty(x.shape[0], 1, 1, x.shape[-1], dtype=x.dtype, device=x.device)
    return x * table + half * table


def softmax(job: Job, scores: Tensor) -> Any:
    """Megatron-Core's own attention without the fused kernel softens in float32 where it is told to (fusions/fused_softmax.py)."""
    if job.te or job.fused_softmax:
        return Softmax.apply(scores)
    if not job.wide_softmax:
        return torch.softmax(scores, dim=-1)
    return torch.softmax(scores.float() * 1.0, dim=-1).to(scores.dtype)


def unfused(job: Job, q: Tensor, k: Tensor, v: Tensor, value_dim: Any, masked: Any) -> Tensor:
    """Scores, softmax, dropout and two batched products; Megatron-Core's own puts scores into its global buffer.

    `masked`: by padding; Transformer Engine then makes a mask per call, and zeros of what it hides once more after the softmax.
    """
    rows, batch, heads, width = q.shape
    keys = k.shape[0]
    if k.shape[2] != heads:
        k = k.repeat_interleave(heads // k.shape[2], dim=2)
        v = v.repeat_interleave(heads // v.shape[2], dim=2)
    q = q.reshape(rows, batch * heads, width)
    k = k.reshape(keys, batch * heads, width)
    if job.te:
        room = torch.empty(batch * heads, rows, keys, dtype=q.dtype, device=q.device)
    else:
        room = shared_buffer(job, "mpu", (batch * heads, rows, keys))
    scores = torch.baddbmm(room, q.transpose(0, 1), k.transpose(0, 1).transpose(1, 2), beta=0.0, alpha=0.1)
    del room
    probs = softmax(job, scores)
    del scores
    if masked and job.te:
        hidden = torch.empty(batch, 1, rows, keys, dtype=torch.bool, device=q.device)
        probs = probs.view(batch, heads, rows, keys).masked_fill(hidden, 0).view(batch * heads, rows, keys)
    if job.attention_dropout:
        probs = torch.nn.functional.dropout(probs, job.attention_dropout)
    v = v.reshape(keys, batch * heads, value_dim)
    context = torch.bmm(probs, v.transpose(0, 1))
    return context.view(batch, heads, rows, value_dim).permute(2, 0, 1, 3).contiguous().view(rows, batch, -1)


def core_attention(job: Job, q: Tensor, k: Tensor, v: Tensor, masked: bool = False) -> Tensor:
    """q, k, v [rows, batch, heads, width] to [rows, batch, heads * value width]; `masked`: by padding, not by order."""
    value_dim = v.shape[-1]
    if job.cp > 1 and job.exchanges_heads:
        out = exchanged_attention(q, k, v, value_dim, job.cp)
    elif job.cp > 1:
        out = Ring.apply(q, k, v, value_dim, job.cp)
    elif job.attention == "unfused":
        return unfused(job, q, k, v, value_dim, masked)
    elif job.attention == "flash":
        # FlashAttention wants the batch first: copies, and the result is turned back
        q, k, v = (part.transpose(0, 1).contiguous().transpose(0, 1) for part in (q, k, v))
        out = Fused.apply(q, k, v, value_dim).transpose(0, 1).contiguous().transpose(0, 1)
        return out.reshape(out.shape[0], out.shape[1], -1)
    else:
        out = Fused.apply(q, k, v, value_dim)
    return out.view(out.shape[0], out.shape[1], -1)


class Attention:
    """Input norm, query-key-value, core attention, output projection; returns the result and the bias that is added later."""

    def __init__(self, job: Job, new: Callable) -> None:
        self.job, self.masked = job, job.kind == "encoder"
        width = job.head_dim
        self.proj = new(job.hidden, job.local_heads * width)
        self.proj_bias = new(job.hidden) if job.linear_bias else None
        self.norm = new(job.hidden)
        self.norm_bias = new(job.hidden) if job.layernorm else None
        out = (job.local_heads + 2 * job.local_groups) * width
        self.qkv = new(out, job.hidden)
        self.qkv_bias = new(out) if job.linear_bias or job.qkv_bias else None
        norms = range((2 if job.layernorm else 1) * 2) if job.qk_norm else ()
        self.qk = [new(width) for _ in norms]
        self.more_qkv = adapter(job, new, "linear_qkv", job.hidden, out, "column")
        self.more_proj = adapter(job, new, "linear_proj", job.local_heads * width, job.hidden, "row")

    def forward(self, x: Tensor) -> tuple:
        job = self.job
        normed = Norm.apply(x, self.norm, self.norm_bias)
        mixed = Column.apply(normed, self.qkv, self.qkv_bias, job, job.te, job.sequence_parallel)
        mixed = added(self.more_qkv, mixed, normed)
        del normed
        rows, batch, _ = mixed.shape
        per = job.local_heads // job.local_groups
        mixed = mixed.view(rows, batch, job.local_groups, (per + 2) * job.head_dim)
        q, k, v = torch.split(mixed, [per * job.head_dim, job.head_dim, job.head_dim], dim=3)
        q = q.reshape(rows, batch, -1, job.head_dim)
        del mixed
        if self.qk:
            half = len(self.qk) // 2
            q = Norm.apply(q, self.qk[0], self.qk[1] if half == 2 else None)
            k = Norm.apply(k, self.qk[half], self.qk[-1] if half == 2 else None)
        if job.rope:
            q, k = rotate(job, q), rotate(job, k)
        context = again(job, "core_attn", core_attention, job, q, k, v, self.masked)
        del q, k, v
        out = Row.apply(context, self.proj, job, job.te, job.sequence_parallel)
        return added(self.more_proj, out, context), self.proj_bias
