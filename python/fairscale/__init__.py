"""fairscale: layers that are divided among GPUs. Real: which tensors live. Not: what shards or offloads whole models."""

from torch._stand_ins import lacks

__version__ = "0.4.13"
__getattr__ = lacks("fairscale")
