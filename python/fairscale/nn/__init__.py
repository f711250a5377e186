"""fairscale.nn: model parallel layers."""

from torch._stand_ins import lacks

from . import model_parallel

__getattr__ = lacks("fairscale.nn")
