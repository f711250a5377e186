"""What torch._C knows of autocast: enabled, dtype, cache, nesting."""

_js = None  # the engine's functions, set by connect()


def connect(functions):
    """Takes the engine's functions for this run."""
    global _js
    _js = functions


def _device_name(device):
    return "cuda" if device in (None, "cuda") else str(device).partition(":")[0]


def set_autocast_enabled(device, value=None):
    if value is None:
        device, value = "cuda", device
    _js.autocast(_device_name(device), "enable", bool(value))


def is_autocast_enabled(device="cuda"):
    return _js.autocast(_device_name(device), "enabled")


def set_autocast_dtype(device, dtype):
    _js.autocast(_device_name(device), "set_dtype", dtype.name)


def get_autocast_dtype(device="cuda"):
    import torch

    return getattr(torch, _js.autocast(_device_name(device), "dtype"))


_nesting = 0


def autocast_increment_nesting():
    global _nesting
    _nesting += 1
    return _nesting


def autocast_decrement_nesting():
    global _nesting
    _nesting -= 1
    return _nesting


def clear_autocast_cache():
    _js.autocast("cuda", "clear")


def set_autocast_cache_enabled(value):
    _js.autocast("cuda", "set_cache", bool(value))


def is_autocast_cache_enabled():
    return _js.autocast("cuda", "cache")


def without_nesting(function, *args):
    """Calls what runs in backward: it has a thread of its own, where no autocast block was entered."""
    global _nesting
    outer, _nesting = _nesting, 0
    try:
        return function(*args)
    finally:
        _nesting = outer
