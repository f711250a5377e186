"""Quantized weights and memories of keys and values: what a program says of them, and the layers that hold them."""
