"""Layers of flash_attn: rotary."""
