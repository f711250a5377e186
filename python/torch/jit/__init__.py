"""torch.jit: scripted and traced modules run as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _C
from ..nn.modules.module import Module as _Module

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self

    import torch
    from torch import Tensor
    from torch.futures import Future


class TracerWarning(Warning):
    """Of values that a trace would keep as constants; nothing is traced here."""


class _Save:
    """The `save` of a scripted or traced module."""

    def __init__(self, module: torch.nn.Module) -> None:
        self.module = module

    def __call__(self, f: Callable, _extra_files: Any = None) -> None:
        save(self.module, f)


def _as_is(obj):
    """The module or function itself, said once in the report."""
    from ..nn import Module

    _C._js.assume("jit_runs_eager", _C.here(), "", "")
    if isinstance(obj, Module):
        obj.__dict__["save"] = _Save(obj)
    return obj


def script(obj: Any = None, *_: Any, **__: Any) -> Any:
    return _as_is(obj) if obj is not None else _as_is


def trace(func: Callable, example_inputs: Any = None, *_: Any, **__: Any) -> Tensor:
    return _as_is(func)


def trace_module(mod: torch.nn.Module, inputs: Any, *_: Any, **__: Any) -> Any:
    return _as_is(mod)


def save(m: Any, f: Any, _extra_files: Any = None) -> None:
    """Pickles the module; only torch.jit.load of the same program reads it."""
    from ..serialization import save as write

    write(m, f)


def load(f: Any, map_location: Any = None, _extra_files: Any = None, **_: Any) -> Any:
    from ..serialization import load as read

    loaded = read(f, map_location=map_location, weights_only=False)
    if type(loaded) is dict or isinstance(loaded, _C._handles.Tensor):
        raise RuntimeError("PytorchStreamReader failed locating file constants.pkl: file not found")
    return loaded


def fork(func: Callable, *args: Any, **kwargs: Any) -> Future:
    return func(*args, **kwargs)


def wait(future: Any) -> Any:
    return future


def set_fusion_strategy(strategy: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return strategy


class _Optimized:
    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> bool:
        return False


def optimized_execution(should_optimize: bool = True) -> _Optimized:
    return _Optimized()


def fuser(name: str) -> _Optimized:
    return _Optimized()


def script_method(fn: Callable, *_: Any, **__: Any) -> Callable:
    return fn


def enable_onednn_fusion(enabled: bool) -> None:
    pass


def ignore(drop: bool = False, **_: Any) -> bool | Callable:
    return drop if callable(drop) else (lambda f: f)


def export(f: str | Callable[..., Any]) -> str | Callable[..., Any]:
    return f


def unused(f: Callable) -> Callable:
    return f


def interface(c: Any) -> Any:
    return c


def is_scripting() -> bool:
    return False


def is_tracing() -> bool:
    return False


def freeze(module: torch.nn.Module, *_: Any, **__: Any) -> object:
    return module


def annotate(the_type: Any, value: Any) -> Any:
    return value


def optimize_for_inference(module: torch.nn.Module, *_: Any) -> torch.nn.Module | ScriptModule:
    return module


class ScriptFunction:
    pass


class RecursiveScriptModule:
    pass


class ScriptModule(_Module):
    """A module whose methods are compiled as it is made: they run as they are written."""


class Attribute:
    def __init__(self, value: Any, type: Any) -> None:
        self.value = value


Final = object


def _overload(f):
    """A signature for TorchScript alone; the last definition of the name is what runs."""
    return f


_overload_method = _overload


def script_if_tracing(f: Callable) -> Callable:
    return f


_script_if_tracing = script_if_tracing
