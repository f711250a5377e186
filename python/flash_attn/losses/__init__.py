"""Losses of flash_attn: cross_entropy."""
