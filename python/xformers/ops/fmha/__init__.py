"""memory_efficient_attention: flash_attn's kernel for 16 bits on newer GPUs, the cutlass one that PyTorch has for the rest.

With gradients it keeps q, k, v, the result and a float32 per query and head; with dropout also the random state. GPUs of
compute capability 9.0 take a third kernel in some builds, which is not modelled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import _C
from torch._stand_ins import lacks, note

from . import attn_bias
from .attn_bias import AttentionBias, BlockDiagonalMask, LowerTriangularMask, LowerTriangularMaskWithTensorBias

if TYPE_CHECKING:
    from typing import Any

    from torch.autograd.function import FunctionCtx
    from torch import Tensor


_ops = _C.ops
_BIASES_OF_FLASH = (type(None), LowerTriangularMask, BlockDiagonalMask, attn_bias.LocalAttentionFromBottomRightMask)
AttentionOp = tuple
__getattr__ = lacks("xformers.ops.fmha")


class _Inputs:
    """q [batch, queries, heads, size], k and v [batch, keys, heads, size]; 3-D ones have one head."""

    def __init__(self, query: Tensor, key: Tensor, value: Any, bias: Tensor, p: Tensor, scale: Any) -> None:
        dims = {query.dim(), key.dim(), value.dim()}
        if dims not in ({3}, {4}):
            if dims == {5}:
                raise NotImplementedError(
                    "vramscope's stand-in for xformers has no attention with grouped heads (5-D inputs)"
                )
            raise ValueError(
                f"Query/Key/Value should all have BMGHK, BMHK or BMK shape.\n  query.shape: {query.shape}\n  key.shape  : {key.shape}\n  value.shape: {value.shape}"
            )
        if not query.dtype == key.dtype == value.dtype:
            raise ValueError(
                f"Query/Key/Value should all have the same dtype\n  query.dtype: {query.dtype}\n  key.dtype  : {key.dtype}\n  value.dtype: {value.dtype}"
            )
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"Invalid dropout probability: p={p}")
        if isinstance(bias, type) and issubclass(bias, AttentionBias):
            bias = bias()
        self.shape = (*query.shape[:-1], value.shape[-1])
        if query.dim() == 3:
            query, key, value = query.unsqueeze(2), key.unsqueeze(2), value.unsqueeze(2)
            if isinstance(bias, torch.Tensor):
                bias = bias.unsqueeze(1)
        batch, queries, heads, size = query.shape
        if key.shape != (batch, key.shape[1], heads, size) or value.shape[:3] != key.shape[:3]:
            raise ValueError(
                f"Incompatible shapes for attention inputs:\n  query.shape: {query.shape}\n  key.shape  : {key.shape}\n  value.shape: {value.shape}\nHINT: We don't support broadcasting, please use `expand` yourself before calling `memory_efficient_attention` if you need to"
            )
        tensor = bias.tensor if isinstance(bias, LowerTriangularMaskWithTensorBias) else bias
        if isinstance(tensor, torch.Tensor) and tensor.shape != (batch, heads, queries, key.shape[1]):
            raise ValueError(
                f"Invalid shape for attention bias: {tensor.shape} (expected {(batch, heads, queries, key.shape[1])})"
            )
        if isinstance(bias, BlockDiagonalMask) and batch != 1:
            raise ValueError("Expected batch_size=1 when using block-diagonal bias")
        self.query, self.key, self.value, self.bias, self.p, self.scale = query, key, value, bias, float(p), scale

    @property
    def tensors(self) -> tuple:
        return self.query, self.key, self.value


class _Flash:
    """The kernels of flash_attn."""

    NAME = "fa2F"

    @staticmethod
    def refuses(inp: Any) -> str:
        """Why it cannot take these inputs, or an empty text."""
        q, k, v = inp.tensors
        if isinstance(inp.bias, LowerTriangularMaskWithTensorBias) or not isinstance(inp.bias, _BIASES_OF_FLASH):
            return f"attn_bias type is {type(inp.bias).__name__}"
        if q.dtype not in (torch.float16, torch.bfloat16):
            return f"dtype={q.dtype} (supported: float16, bfloat16)"
        if torch.cuda.get_device_capability() < (8, 0):
            return "requires device with capability >= (8, 0)"
        if q.shape[-1] != v.shape[-1]:
            return "query.shape[-1] != value.shape[-1]"
        if q.shape[-1] > 256:
            return "max(query.shape[-1], value.shape[-1]) > 256"
        if q.shape[-1] % 8:
            return "query.shape[-1] % 8 != 0"
        if type(inp.bias) is LowerTriangularMask and q.shape[1] != k.shape[1]:
            return "Only support LowerTriangularMask if equal number of keys and queries"
        return ""

    @staticmethod
    def forward(inp: Any, keeps: Any) -> tuple:
        q, k, v = inp.tensors
        windowed = getattr(inp.bias, "windowed", False)
        if not isinstance(inp.bias, BlockDiagonalMask):
            out, lse, _, state = _ops.flash_attn_forward(q, k, v, inp.p, windowed, False, False)
            return out, lse, (state,)
        queries, keys = inp.bias.q_seqinfo, inp.bias.k_seqinfo
        flat = (t.reshape(-1, *t.shape[2:]) for t in inp.tensors)
        lengths = (queries.seqstart, keys.seqstart, queries.max_seqlen, keys.max_seqlen)
        out, lse, _, state = _ops.flash_attn_varlen_forward(*flat, *lengths, inp.p, windowed, False, False, False)
        return out.unsqueeze(0), lse.unsqueeze(0), (state,)

    @staticmethod
    def backward(inp: Any, grad: Tensor, out: Tensor, lse: Any, state: Any) -> tuple:
        q, k, v = inp.tensors
        if not isinstance(inp.bias, BlockDiagonalMask):
            gradients = _Flash.gradients(q, k, v)
            _ops.flash_attn_backward(grad, q, k, v, out, lse[:, :, : q.shape[1]].contiguous(), *gradients, False)
            return (*gradients, None)
        flat = [t.reshape(-1, *t.shape[2:]) for t in (q, k, v, out)]
        gradients = _Flash.gradients(*flat[:3])
        start = inp.bias.q_seqinfo.seqstart
        _ops.flash_attn_varlen_backward(grad.reshape(flat[3].shape), *flat, lse[0], *gradients, start, False)
        return (*(g.reshape(t.shape) for g, t in zip(gradients, (q, k, v))), None)

    @staticmethod
    def gradients(q: Tensor, k: Tensor, v: Tensor) -> tuple:
        """Three of their own; or parts of one, where q, k and v are parts of one."""
        packed = q.shape[0] == k.shape[0] and q.shape[-1] == v.shape[-1] and q.stride(-2) == 3 * q.shape[-1]
        if packed:
            together = torch.empty((*q.shape[:-2], 3, *q.shape[-2:]), dtype=q.dtype, device=q.device)
            return tuple(together.select(-3, i) for i in range(3))
        return torch.empty_like(q), torch.empty_like(k), torch.empty_like(v)


class _Cutlass:
    """The memory-efficient kernel that PyTorch has, too."""

    NAME = "cutlassF-pt"

    @staticmethod
    def refuses(inp: Any) -> str:
        step = 4 if inp.query.dtype == torch.float32 else 8
        if inp.query.dtype not in (torch.float32, torch.float16, torch.bfloat16):
            return f"dtype={inp.query.dtype} (supported: float32, float16, bfloat16)"
        if inp.query.shape[-1] % step or inp.value.shape[-1] % step:
            return f"query.shape[-1] % {step} != 0"
        tensor = _tensor_of(inp.bias)
        if tensor is not None:
            align = 16 // tensor.element_size()
            if any(s % align for s in tensor.stride()[:-1]):
                return f"attn_bias.stride(-2) % {align} != 0 (attn_bias.stride() = {tensor.stride()})"
        return ""

    @staticmethod
    def forward(inp: Any, keeps: Any) -> tuple:
        heads_first = (t.transpose(1, 2) for t in inp.tensors)
        causal = getattr(inp.bias, "causal", False)
        if isinstance(inp.bias, BlockDiagonalMask):
            note("unverified_op", "op", "xformers: sequences one after the other outside of the flash kernel")
        out, lse, seed, offset = _ops._scaled_dot_product_efficient_attention(
            *heads_first, _tensor_of(inp.bias), keeps, inp.p, causal, inp.scale
        )
        return out.transpose(1, 2), lse, (seed, offset)

    @staticmethod
    def backward(inp: Any, grad: Tensor, out: Tensor, lse: Any, state: Any) -> tuple:
        tensor = _tensor_of(inp.bias)
        wants = tensor is not None and tensor.requires_grad
        grad = grad.to(inp.query.dtype)
        results = _ops._scaled_dot_product_efficient_attention_backward(
            grad.transpose(1, 2),
            *(t.transpose(1, 2) for t in inp.tensors),
            tensor,
            out.transpose(1, 2),
            lse,
            *(state or (torch.empty((), dtype=torch.int64),) * 2),
            inp.p,
            wants,
            getattr(inp.bias, "causal", False),
            inp.scale,
        )
        return (*(g.transpose(1, 2) for g in results[:3]), results[3] if wants else None)


flash, cutlass = _Flash, _Cutlass
for _kernel in (_Flash, _Cutlass):
    _kernel.FwOp = _kernel.BwOp = _kernel
MemoryEfficientAttentionFlashAttentionOp = (_Flash, _Flash)
MemoryEfficientAttentionCutlassOp = (_Cutlass, _Cutlass)
MemoryEfficientAttentionCutlassFwdFlashBwOp = (_Cutlass, _Flash)


def _tensor_of(bias):
    if isinstance(bias, LowerTriangularMaskWithTensorBias):
        return bias.tensor
    return bias if isinstance(bias, torch.Tensor) else None


def _choose(inp, asked):
    """The kernel: the one asked for, or the first that takes the inputs."""
    if not inp.query.is_cuda:
        raise NotImplementedError(
            f"No operator found for `memory_efficient_attention_forward`: device={inp.query.device.type} (supported: cuda)"
        )
    kernels = (_Flash, _Cutlass) if asked is None else (asked,)
    reasons = []
    for kernel in kernels:
        why = kernel.refuses(inp)
        if not why:
            return kernel
        reasons.append(f"`{kernel.NAME}` is not supported because:\n    {why}")
    text = "\n".join(reasons)
    if asked is not None:
        raise ValueError(f"Operator `memory_efficient_attention` does not support inputs:\n{text}")
    raise NotImplementedError(f"No operator found for `memory_efficient_attention_forward` with inputs:\n{text}")


class _fMHA(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: FunctionCtx, query: Tensor, key: Tensor, value: Any, bias: Tensor, p: Tensor, scale: Any, op: Any
    ) -> tuple:
        inp = _Inputs(query, key, value, bias, p, scale)
        kernel = _choose(inp, None if op is None else op[0])
        out, lse, state = kernel.forward(inp, True)
        ctx.save_for_backward(query, key, value, out, lse)
        ctx.kernel = op[1] if op is not None and not p else kernel
        # the random state matters to dropout only
        ctx.rest = (bias, p, scale, state if p else None)
        return out, lse

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor, grad_lse: Any) -> tuple:
        query, key, value, out, lse = ctx.saved_tensors
        bias, p, scale, state = ctx.rest
        inp = _Inputs(query, key, value, bias, p, scale)
        dq, dk, dv, db = ctx.kernel.backward(inp, grad, out, lse, state)
        return dq, dk, dv, db, None, None, None


def memory_efficient_attention(
    query: Tensor,
    key: Tensor,
    value: Any,
    attn_bias: Tensor | None = None,
    p: float = 0.0,
    scale: Any = None,
    *,
    op: Any = None,
    output_dtype: Any = None,
) -> Tensor:
    """softmax(query @ key^T * scale + bias) @ value for [batch, length, heads, size], or [batch, length, size] for one head.

    attn_bias: None, an AttentionBias, or a tensor [batch, heads, queries, keys]; p: dropout.
    Raises ValueError for shapes that do not fit, NotImplementedError where no kernel takes the inputs.
    """
    inp = _Inputs(query, key, value, attn_bias, p, scale)
    if output_dtype is not None and output_dtype != query.dtype:
        raise NotImplementedError("vramscope's stand-in for xformers has no attention with output_dtype")
    tracked = torch.is_grad_enabled() and any(t.requires_grad for t in (query, key, value))
    if not tracked:
        with torch.no_grad():
            out, _, _ = _choose(inp, None if op is None else op[0]).forward(inp, False)
        return out.reshape(inp.shape)
    return _fMHA.apply(*inp.tensors, inp.bias, inp.p, scale, op)[0].reshape(inp.shape)


def memory_efficient_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Any,
    attn_bias: Tensor | None = None,
    p: float = 0.0,
    scale: Any = None,
    *,
    op: Any = None,
    output_dtype: Any = None,
) -> Tensor:
    """The same without a graph; `op` is one kernel."""
    with torch.no_grad():
        pair = None if op is None else (op, op)
        return memory_efficient_attention(query, key, value, attn_bias, p, scale, op=pair, output_dtype=output_dtype)


def memory_efficient_attention_forward_requires_grad(
    query: Tensor,
    key: Tensor,
    value: Any,
    attn_bias: Tensor | None = None,
    p: float = 0.0,
    scale: Any = None,
    *,
    op: Any = None,
    output_dtype: Any = None,
) -> tuple:
    """(result, log-sum-exp) without a graph, for memory_efficient_attention_backward."""
    if p:
        raise NotImplementedError(
            "dropout is not supported on the non-autograd API. If you want to use dropout, please call `memory_efficient_attention` directly"
        )
    inp = _Inputs(query, key, value, attn_bias, p, scale)
    with torch.no_grad():
        out, lse, _ = _choose(inp, op).forward(inp, True)
    return out.reshape(inp.shape), lse


def memory_efficient_attention_backward(
    grad: Tensor,
    output: Tensor,
    lse: Any,
    query: Tensor,
    key: Tensor,
    value: Any,
    attn_bias: Tensor | None = None,
    p: float = 0.0,
    scale: Any = None,
    *,
    op: Any = None,
) -> tuple:
    """(dq, dk, dv)."""
    if p:
        raise NotImplementedError(
            "dropout is not supported on the non-autograd API. If you want to use dropout, please call `memory_efficient_attention` directly"
        )
    inp = _Inputs(query, key, value, attn_bias, p, scale)
    shape = (*inp.query.shape[:-1], inp.value.shape[-1])
    with torch.no_grad():
        grads = _choose(inp, op).backward(inp, grad.reshape(shape), output.reshape(shape), lse, None)
    return tuple(g.reshape(t.shape) for g, t in zip(grads, (query, key, value)))
