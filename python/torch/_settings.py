"""Process-wide settings of torch: defaults, threads, precision, the simulated version; and compile()."""

import sys

from . import _C, _defaults, _functional, _shells, _types

# Names that came later than the oldest version, by the version that had them first. Operators say so in their rows.
_SINCE = {
    (2, 7): "torch.float8_e8m0fnu",
    (2, 9): "torch.optim.Muon",
    (2, 13): "torch.nn.functional.linear_cross_entropy",
}

_flags = {"precision": "highest", "deterministic": False}


class _Version(str):
    """torch.__version__: compares like a version."""

    def __ge__(self, other):
        return self._key(self) >= self._key(other)

    def __gt__(self, other):
        return self._key(self) > self._key(other)

    def __le__(self, other):
        return self._key(self) <= self._key(other)

    def __lt__(self, other):
        return self._key(self) < self._key(other)

    __hash__ = str.__hash__

    @staticmethod
    def _key(v):
        if isinstance(v, tuple):
            return v
        parts = []
        for p in str(v).split("+")[0].split("."):
            digits = "".join(c for c in p if c.isdigit())
            parts.append(int(digits or 0))
        return tuple(parts)


def _version_at_least(major, minor):
    return _defaults.version >= (major, minor)


def _configure(version):
    """Sets the simulated version; called once when a program starts."""
    import torch

    major, minor = map(int, version.split(".")[:2])
    _defaults.version = (major, minor)
    _defaults.version_text = f"{major}.{minor}.0"
    torch.__version__ = torch.version.__version__ = _Version(_defaults.version_text)
    for since, names in _SINCE.items():
        if _defaults.version < since:
            for name in names.split():
                module, _, attribute = name.rpartition(".")
                delattr(sys.modules[module], attribute)
                _shells.removed.add(name)


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


def set_printoptions(**_):
    pass


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
