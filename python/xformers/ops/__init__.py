"""xformers.ops: attention that never stores its scores, on tensors of shape [batch, length, heads, size]."""

from torch._stand_ins import lacks

from . import fmha
from .fmha import (
    AttentionBias,
    AttentionOp,
    LowerTriangularMask,
    MemoryEfficientAttentionCutlassFwdFlashBwOp,
    MemoryEfficientAttentionCutlassOp,
    MemoryEfficientAttentionFlashAttentionOp,
    memory_efficient_attention,
    memory_efficient_attention_backward,
    memory_efficient_attention_forward,
    memory_efficient_attention_forward_requires_grad,
)
from .rmsnorm import RMSNorm, rms_norm
from .swiglu_op import SwiGLU, swiglu

AttentionMask = AttentionBias
__getattr__ = lacks("xformers.ops")
__all__ = [
    "AttentionBias",
    "AttentionMask",
    "AttentionOp",
    "LowerTriangularMask",
    "MemoryEfficientAttentionCutlassFwdFlashBwOp",
    "MemoryEfficientAttentionCutlassOp",
    "MemoryEfficientAttentionFlashAttentionOp",
    "RMSNorm",
    "SwiGLU",
    "fmha",
    "memory_efficient_attention",
    "memory_efficient_attention_backward",
    "memory_efficient_attention_forward",
    "memory_efficient_attention_forward_requires_grad",
    "rms_norm",
    "swiglu",
]
