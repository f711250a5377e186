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


class TorchFunctionMode:
    """Can be imported and derived from; entering one is not simulated."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))

    def __enter__(self):
        raise NotImplementedError("vramscope does not dispatch to a TorchFunctionMode")

    def __exit__(self, *_):
        return False
