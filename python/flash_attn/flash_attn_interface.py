"""The functions of flash_attn: custom autograd functions around its kernels, as the package has them.

Shapes are [batch, length, heads, size], or [total, heads, size] with cumulated lengths (int32, batch + 1 entries).
Memory of a call with gradients: q, k and v (padded copies where the size is no multiple of 8), the result, a float32 per
query and head, and 16 bytes of random state. The scores are never stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import _C
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

    from torch.autograd.function import FunctionCtx
    from torch import Tensor


_ops = _C.ops
__getattr__ = lacks("flash_attn.flash_attn_interface")


class _Options:
    """What all functions take beside their tensors."""

    def __init__(
        self, dropout_p: float, window_size: Any, alibi_slopes: Tensor, deterministic: Any, return_softmax: bool
    ) -> None:
        self.dropout_p = float(dropout_p)
        self.windowed = tuple(window_size) != (-1, -1)
        self.sloped = alibi_slopes is not None
        self.alibi_slopes = alibi_slopes
        self.deterministic = bool(deterministic)
        self.return_softmax = bool(return_softmax and dropout_p > 0)


class _Lengths:
    """Where sequences begin, for those that lie one after the other."""

    def __init__(self, queries: Any, keys: Any, max_queries: int, max_keys: int, paged: bool = False) -> None:
        self.queries, self.keys, self.paged = queries, keys, paged
        self.max_queries, self.max_keys = int(max_queries), int(max_keys)


def _padded(t):
    missing = -t.shape[-1] % 8
    return torch.nn.functional.pad(t, (0, missing)) if missing else t


def _dense(t):
    """The kernels want the last dimension without gaps."""
    return t.contiguous() if t is not None and t.stride(-1) != 1 else t


def _run_forward(q, k, v, options, lengths):
    q, k, v = _dense(q), _dense(k), _dense(v)
    if lengths is None:
        return _ops.flash_attn_forward(
            q, k, v, options.dropout_p, options.windowed, options.sloped, options.return_softmax
        )
    return _ops.flash_attn_varlen_forward(
        q,
        k,
        v,
        lengths.queries,
        lengths.keys,
        lengths.max_queries,
        lengths.max_keys,
        options.dropout_p,
        options.windowed,
        options.sloped,
        options.return_softmax,
        lengths.paged,
    )


def _run_backward(dout, q, k, v, out, lse, dq, dk, dv, options, cumulated):
    dout = _dense(dout)
    if cumulated is None:
        _ops.flash_attn_backward(dout, q, k, v, out, lse, dq, dk, dv, options.deterministic)
    else:
        _ops.flash_attn_varlen_backward(dout, q, k, v, out, lse, dq, dk, dv, cumulated, options.deterministic)


def _attend(ctx, q, k, v, options, lengths, records, return_softmax):
    """Forward of every form: pads, runs, saves, cuts the padding off."""
    size = q.shape[-1]
    q, k, v = _padded(q), _padded(k), _padded(v)
    out, lse, probabilities, state = _run_forward(q, k, v, options, lengths)
    if records:
        cumulated = () if lengths is None else (lengths.queries, lengths.keys)
        ctx.save_for_backward(q, k, v, out, lse, *cumulated, state)
        ctx.options = options
    out = out[..., :size]
    return (out, lse, probabilities) if return_softmax else out


def _saved(ctx):
    q, k, v, out, lse, *rest = ctx.saved_tensors
    return q, k, v, out, lse, rest[0] if len(rest) == 3 else None


class _Separate(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: FunctionCtx,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        options: Any,
        lengths: Tensor,
        return_softmax: bool,
        grad_enabled: Any,
    ) -> Any:
        records = grad_enabled and any(t.requires_grad for t in (q, k, v))
        return _attend(ctx, q, k, v, options, lengths, records, return_softmax)

    @staticmethod
    def backward(ctx: FunctionCtx, dout: Tensor, *unused: Any) -> tuple:
        q, k, v, out, lse, cumulated = _saved(ctx)
        dq, dk, dv = torch.empty_like(q), torch.empty_like(k), torch.empty_like(v)
        size = dout.shape[-1]
        padded = _padded(dout)
        _run_backward(padded, q, k, v, out, lse, dq, dk, dv, ctx.options, cumulated)
        return dq[..., :size], dk[..., :size], dv[..., :size], None, None, None, None


class _PackedKeys(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: FunctionCtx, q: Tensor, kv: Tensor, options: Any, lengths: Tensor, return_softmax: bool, grad_enabled: Any
    ) -> Any:
        records = grad_enabled and (q.requires_grad or kv.requires_grad)
        k, v = kv.select(-3, 0).detach(), kv.select(-3, 1).detach()
        return _attend(ctx, q, k, v, options, lengths, records, return_softmax)

    @staticmethod
    def backward(ctx: FunctionCtx, dout: Tensor, *unused: Any) -> tuple:
        q, k, v, out, lse, cumulated = _saved(ctx)
        dq = torch.empty_like(q)
        dkv = torch.empty((*k.shape[:-2], 2, *k.shape[-2:]), dtype=k.dtype, device=k.device)
        size = dout.shape[-1]
        padded = _padded(dout)
        _run_backward(padded, q, k, v, out, lse, dq, dkv.select(-3, 0), dkv.select(-3, 1), ctx.options, cumulated)
        return dq[..., :size], dkv[..., :size], None, None, None, None


class _Packed(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: FunctionCtx, qkv: Tensor, options: Any, lengths: Tensor, return_softmax: bool, grad_enabled: Any
    ) -> Any:
        records = grad_enabled and qkv.requires_grad
        q, k, v = (qkv.select(-3, i).detach() for i in range(3))
        return _attend(ctx, q, k, v, options, lengths, records, return_softmax)

    @staticmethod
    def backward(ctx: FunctionCtx, dout: Tensor, *unused: Any) -> tuple:
        q, k, v, out, lse, cumulated = _saved(ctx)
        dqkv = torch.empty((*q.shape[:-2], 3, *q.shape[-2:]), dtype=q.dtype, device=q.device)
        size = dout.shape[-1]
        padded = _padded(dout)
        parts = (dqkv.select(-3, i) for i in range(3))
        _run_backward(padded, q, k, v, out, lse, *parts, ctx.options, cumulated)
        return dqkv[..., :size], None, None, None, None


def flash_attn_func(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    dropout_p: float = 0.0,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: tuple[int, int] = (-1, -1),
    softcap: float = 0.0,
    alibi_slopes: Tensor | None = None,
    deterministic: bool = False,
    return_attn_probs: bool = False,
) -> Any:
    """Attention of q [batch, length, heads, size] over k and v [batch, keys, key heads, size]; heads may share keys."""
    options = _Options(dropout_p, window_size, alibi_slopes, deterministic, return_attn_probs)
    return _Separate.apply(q, k, v, options, None, return_attn_probs, torch.is_grad_enabled())


def flash_attn_kvpacked_func(
    q: Tensor,
    kv: Tensor,
    dropout_p: float = 0.0,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: tuple[int, int] = (-1, -1),
    softcap: float = 0.0,
    alibi_slopes: Tensor | None = None,
    deterministic: bool = False,
    return_attn_probs: bool = False,
) -> Any:
    """The same with keys and values in one tensor [batch, keys, 2, key heads, size]."""
    options = _Options(dropout_p, window_size, alibi_slopes, deterministic, return_attn_probs)
    return _PackedKeys.apply(q, kv, options, None, return_attn_probs, torch.is_grad_enabled())


def flash_attn_qkvpacked_func(
    qkv: Tensor,
    dropout_p: float = 0.0,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: tuple[int, int] = (-1, -1),
    softcap: float = 0.0,
    alibi_slopes: Tensor | None = None,
    deterministic: bool = False,
    return_attn_probs: bool = False,
) -> Any:
    """The same with everything in one tensor [batch, length, 3, heads, size]."""
    options = _Options(dropout_p, window_size, alibi_slopes, deterministic, return_attn_probs)
    return _Packed.apply(qkv, options, None, return_attn_probs, torch.is_grad_enabled())


def flash_attn_varlen_func(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor,
    max_seqlen_q: int,
    max_seqlen_k: int,
    dropout_p: float = 0.0,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: tuple[int, int] = (-1, -1),
    softcap: float = 0.0,
    alibi_slopes: Tensor | None = None,
    deterministic: bool = False,
    return_attn_probs: bool = False,
    block_table: Tensor | None = None,
) -> Any:
    """Attention within sequences that lie one after the other: q is [total, heads, size]."""
    options = _Options(dropout_p, window_size, alibi_slopes, deterministic, return_attn_probs)
    lengths = _Lengths(cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k, block_table is not None)
    return _Separate.apply(q, k, v, options, lengths, return_attn_probs, torch.is_grad_enabled())


def flash_attn_varlen_kvpacked_func(
    q: Tensor,
    kv: Tensor,
    cu_seqlens_q: Tensor,
    cu_seqlens_k: Tensor,
    max_seqlen_q: int,
    max_seqlen_k: int,
    dropout_p: float = 0.0,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: tuple[int, int] = (-1, -1),
    softcap: float = 0.0,
    alibi_slopes: Tensor | None = None,
    deterministic: bool = False,
    return_attn_probs: bool = False,
) -> Any:
    """The same with keys and values in one tensor [total keys, 2, key heads, size]."""
    options = _Options(dropout_p, window_size, alibi_slopes, deterministic, return_attn_probs)
    lengths = _Lengths(cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k)
    return _PackedKeys.apply(q, kv, options, lengths, return_attn_probs, torch.is_grad_enabled())


def flash_attn_varlen_qkvpacked_func(
    qkv: Tensor,
    cu_seqlens: Tensor,
    max_seqlen: int,
    dropout_p: float = 0.0,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: tuple[int, int] = (-1, -1),
    softcap: float = 0.0,
    alibi_slopes: Tensor | None = None,
    deterministic: bool = False,
    return_attn_probs: bool = False,
) -> Any:
    """The same with everything in one tensor [total, 3, heads, size]."""
    options = _Options(dropout_p, window_size, alibi_slopes, deterministic, return_attn_probs)
    lengths = _Lengths(cu_seqlens, cu_seqlens, max_seqlen, max_seqlen)
    return _Packed.apply(qkv, options, lengths, return_attn_probs, torch.is_grad_enabled())


def flash_attn_with_kvcache(
    q: Tensor,
    k_cache: Tensor,
    v_cache: Tensor,
    k: Tensor | None = None,
    v: Tensor | None = None,
    rotary_cos: Tensor | None = None,
    rotary_sin: Tensor | None = None,
    cache_seqlens: Tensor | None = None,
    cache_batch_idx: Any = None,
    cache_leftpad: Any = None,
    block_table: Tensor | None = None,
    softmax_scale: float | None = None,
    causal: bool = False,
    window_size: tuple[int, int] = (-1, -1),
    softcap: float = 0.0,
    rotary_interleaved: bool = True,
    alibi_slopes: Tensor | None = None,
    num_splits: int = 0,
    return_softmax_lse: bool = False,
) -> Any:
    """Inference: writes k and v into the cache and attends to it. Caches are [batch, most keys, key heads, size], or pages."""
    q, k, v = _dense(q), _dense(k), _dense(v)
    if isinstance(cache_seqlens, int):
        cache_seqlens = torch.full((k_cache.shape[0],), cache_seqlens, dtype=torch.int32, device=k_cache.device)
    windowed = tuple(window_size) != (-1, -1)
    with torch.no_grad():
        out, lse = _ops.flash_attn_kvcache(
            q, k_cache, v_cache, k, v, block_table, windowed, alibi_slopes is not None, num_splits
        )
    return (out, lse) if return_softmax_lse else out
