"""Operators of flash_attn: triton.cross_entropy, triton.rotary."""
