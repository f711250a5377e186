"""Process-wide settings of torch: defaults, threads, precision; and compile()."""

from . import _C, _defaults, _types

_flags = {"precision": "highest", "deterministic": False}


def typename(obj):
    import torch

    if isinstance(obj, torch.Tensor):
        return obj.type()
    module = getattr(obj, "__module__", "") or ""
    name = getattr(obj, "__qualname__", None) or getattr(obj, "__name__", None)
    if name is None:
        module, name = type(obj).__module__ or "", type(obj).__qualname__
    return name if module in ("", "builtins") else f"{module}.{name}"


def set_default_dtype(d):
    _defaults.dtype = d


def get_default_dtype():
    return _defaults.dtype


def set_default_device(device_):
    _defaults.device = None if device_ is None else _types.device(device_)


def get_default_device():
    return _defaults.device if _defaults.device is not None else _types.CPU


_threads = 1


def set_num_threads(n):
    global _threads
    _threads = n


def get_num_threads():
    return _threads


def set_num_interop_threads(n):
    pass


def get_num_interop_threads():
    return 1


def set_float32_matmul_precision(precision):
    _flags["precision"] = precision


def get_float32_matmul_precision():
    return _flags["precision"]


def use_deterministic_algorithms(mode, *, warn_only=False):
    _flags["deterministic"] = mode


def are_deterministic_algorithms_enabled():
    return _flags["deterministic"]


def set_warn_always(_):
    pass


def is_warn_always_enabled():
    return False


def set_flush_denormal(_):
    return True


def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    """Runs as eager: noted once in the report."""
    if model is None:
        return lambda m: compile(m)
    _C._js.assume("compile_runs_eager", _C.here(), "", "")
    from .nn import Module

    if not isinstance(model, Module):
        return model
    from ._dynamo import OptimizedModule

    return OptimizedModule(model)


def is_autocast_cache_enabled():
    return _C.is_autocast_cache_enabled()


def set_autocast_enabled(*args):
    _C.set_autocast_enabled(*args)


def get_autocast_gpu_dtype():
    return _C.get_autocast_dtype("cuda")


def is_distributed():
    return False


def get_device_module(device_=None):
    import torch

    return torch.cuda


def vmap(func_, in_dims=0, out_dims=0, **_):
    import torch

    return torch.func.vmap(func_, in_dims, out_dims)


def _assert(condition, message):
    assert condition, message


def is_deterministic_algorithms_warn_only_enabled():
    return False


def get_deterministic_debug_mode():
    return 2 if _flags["deterministic"] else 0


def set_deterministic_debug_mode(debug_mode):
    _flags["deterministic"] = debug_mode in (1, 2, "warn", "error")
