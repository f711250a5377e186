"""Process-wide settings of torch: defaults, threads, precision; and compile()."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C, _defaults, _types

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch


_flags = {"precision": "highest", "deterministic": False}


def typename(obj: object) -> str:
    import torch

    if isinstance(obj, torch.Tensor):
        return obj.type()
    module = getattr(obj, "__module__", "") or ""
    name = getattr(obj, "__qualname__", None) or getattr(obj, "__name__", None)
    if name is None:
        module, name = type(obj).__module__ or "", type(obj).__qualname__
    return name if module in ("", "builtins") else f"{module}.{name}"


def set_default_dtype(d: torch.dtype) -> None:
    """The engine knows it, too: numbers and whole tensors become it beside floats."""
    if not isinstance(d, _types.dtype):
        raise TypeError("invalid dtype object")
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _C._js.setDefaultDtype(d.name)
    _defaults.dtype = d


def get_default_dtype() -> torch.dtype:
    return _defaults.dtype


def set_default_device(device_: Any) -> None:
    _defaults.device = None if device_ is None else _types.device(device_)
    _defaults.by_type = False


def get_default_device() -> torch.device:
    return _defaults.device if _defaults.device is not None else _types.CPU


_threads = 1


def set_num_threads(n: int) -> None:
    global _threads
    _threads = n


def get_num_threads() -> int:
    return _threads


def set_num_interop_threads(n: int) -> None:
    pass


def get_num_interop_threads() -> int:
    return 1


def set_float32_matmul_precision(precision: str) -> None:
    _flags["precision"] = precision


def get_float32_matmul_precision() -> str:
    return _flags["precision"]


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    _flags["deterministic"] = mode


def are_deterministic_algorithms_enabled() -> bool:
    return _flags["deterministic"]


def set_warn_always(_: Any) -> None:
    pass


def is_warn_always_enabled() -> bool:
    return False


def set_flush_denormal(_: Any) -> bool:
    return True


def compile(
    model: Callable | None = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str | Callable | None = "inductor",
    mode: str | None = None,
    options: dict[str, str | int | bool | Callable] | None = None,
    disable: bool = False,
) -> Callable:
    """A form of the function whose calls take the memory of inductor's code; with another backend it runs as eager code."""
    if model is None:
        return lambda m: compile(m, backend=backend, disable=disable)
    from ._dynamo import OptimizedModule, compiled, eager_form
    from .nn import Module

    if disable:
        return model
    if backend != "inductor":
        _C._js.assume("compile_runs_eager", _C.here(), "", "")
        return OptimizedModule(model, eager_form) if isinstance(model, Module) else compiled(model, eager_form)
    return OptimizedModule(model) if isinstance(model, Module) else compiled(model)


def is_autocast_cache_enabled() -> bool:
    return _C.is_autocast_cache_enabled()


def set_autocast_enabled(*args: Any) -> None:
    _C.set_autocast_enabled(*args)


def get_autocast_gpu_dtype() -> torch.dtype:
    return _C.get_autocast_dtype("cuda")


def is_distributed() -> bool:
    return False


def get_device_module(device_: Any = None) -> Any:
    import torch

    return torch.cuda


def vmap(func_: Any, in_dims: int | tuple = 0, out_dims: int | tuple = 0, **_: Any) -> Callable:
    import torch

    return torch.func.vmap(func_, in_dims, out_dims)


def _assert(condition, message):
    assert condition, message


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    return False


def get_deterministic_debug_mode() -> int:
    return 2 if _flags["deterministic"] else 0


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    _flags["deterministic"] = debug_mode in (1, 2, "warn", "error")
