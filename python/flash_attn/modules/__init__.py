"""Modules of flash_attn: mha."""
