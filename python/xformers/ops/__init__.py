"""xformers.ops: attention that never stores its scores, on tensors of shape B M H K."""

from .attention import AttentionBias, LowerTriangularMask, memory_efficient_attention, memory_efficient_attention_forward

__all__ = ["AttentionBias", "LowerTriangularMask", "memory_efficient_attention", "memory_efficient_attention_forward"]
