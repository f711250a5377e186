"""memory_efficient_attention by the kernels that PyTorch has too: flash for 16 bits, the memory-efficient one for the rest.

No recorded case proves the figures of xformers' own build, so its use is listed as unverified.
"""

import torch
from torch import _C


class AttentionBias:
    """A mask that the kernel makes itself."""


class LowerTriangularMask(AttentionBias):
    """Causal attention, aligned to the first query."""


def _attend(query, key, value, attn_bias, p, scale):
    causal = isinstance(attn_bias, LowerTriangularMask) or attn_bias is LowerTriangularMask
    bias = None if causal else attn_bias
    if isinstance(bias, AttentionBias):
        raise NotImplementedError(f"vramscope: xformers mask {type(bias).__name__} is not simulated")
    _C._js.assume("unverified_op", _C.here(), "op", "xformers.memory_efficient_attention")
    q, k, v = (t.transpose(1, 2) for t in (query, key, value))
    half = query.dtype in (torch.float16, torch.bfloat16)
    if half and bias is None and torch.cuda.get_device_capability() >= (8, 0) and query.shape[-1] <= 256:
        out = _C.ops._scaled_dot_product_flash_attention(q, k, v, p, causal, False, scale=scale)[0]
    else:
        keeps = torch.is_grad_enabled() and any(t.requires_grad for t in (query, key, value))
        out = _C.ops._scaled_dot_product_efficient_attention(q, k, v, bias, keeps, p, causal, scale=scale)[0]
    return out.transpose(1, 2)


def memory_efficient_attention(query, key, value, attn_bias=None, p=0.0, scale=None, *, op=None, output_dtype=None):
    """softmax(query @ key^T * scale + bias) @ value for tensors of shape B M H K, or B M K for one head."""
    if query.dim() == 3:
        out = _attend(query.unsqueeze(2), key.unsqueeze(2), value.unsqueeze(2), attn_bias, p, scale).squeeze(2)
    elif query.dim() == 4:
        out = _attend(query, key, value, attn_bias, p, scale)
    else:
        raise ValueError(f"query has {query.dim()} dimensions; B M H K or B M K is simulated")
    return out if output_dtype is None else out.to(output_dtype)


def memory_efficient_attention_forward(query, key, value, attn_bias=None, p=0.0, scale=None, *, op=None, output_dtype=None):
    """The same without a graph."""
    with torch.no_grad():
        return memory_efficient_attention(query, key, value, attn_bias, p, scale, output_dtype=output_dtype)
