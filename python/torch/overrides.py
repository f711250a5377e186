"""torch.overrides: tensor subclasses are not dispatched."""


def has_torch_function(_):
    return False


def has_torch_function_unary(_):
    return False


def has_torch_function_variadic(*_):
    return False


def handle_torch_function(func, *_, **__):
    raise NotImplementedError("vramscope does not dispatch __torch_function__")


def is_tensor_like(obj):
    import torch

    return isinstance(obj, torch.Tensor)
