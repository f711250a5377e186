"""torch.onnx.symbolic_helper: decorators of functions that an export would call."""

from torch._stand_ins import lacks


def parse_args(*arg_descriptors):
    return lambda fn: fn


__getattr__ = lacks("torch.onnx.symbolic_helper")
