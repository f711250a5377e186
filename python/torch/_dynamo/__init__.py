"""torch._dynamo: the program's own code runs; the engine follows what was compiled, which is remembered for functions that have another form then."""

from __future__ import annotations

import functools
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..nn import Module
from ._region import compiled_form, eager_form, run_compiled

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Iterator
    from typing import Any

    import torch


class OptimizedModule(Module):
    """What torch.compile makes of a module: its parameters and state go by `_orig_mod.NAME`, all else is the module's own."""

    def __init__(self, mod: torch.nn.Module, dynamo_ctx: Callable | None = None) -> None:
        super().__init__()
        self._orig_mod = mod
        self.__dict__["dynamo_ctx"] = dynamo_ctx
        self.training = mod.training

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        if self.__dict__["dynamo_ctx"] is eager_form:
            return self._orig_mod(*args, **kwargs)
        return run_compiled(self._orig_mod, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        module = self._modules["_orig_mod"]
        return module if name == "_orig_mod" else getattr(module, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "_orig_mod" or name in self.__dict__ or "_orig_mod" not in self.__dict__.get("_modules", ()):
            super().__setattr__(name, value)
        else:
            setattr(self._modules["_orig_mod"], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._modules["_orig_mod"], name)

    def __len__(self) -> int:
        return len(self._modules["_orig_mod"])

    def __dir__(self) -> list[str]:
        return [*dir(self._modules["_orig_mod"]), *super().__dir__()]


_compiled = {OptimizedModule.forward.__code__, run_compiled.__code__}


def compiled(function: Any, form_of: Callable[[Callable], Callable] = compiled_form) -> Callable:
    """What torch.compile makes of a function: its own compiled form where it has one, else `form_of` it, remembered as compiled."""
    inner = function.func if isinstance(function, functools.partial) else function
    form = getattr(inner, "_compiled_form", None)
    if form is not None:
        return form if inner is function else functools.partial(form, *function.args, **function.keywords)
    code = getattr(inner, "__code__", None)
    if code is not None:
        _compiled.add(code)
    return form_of(function)


def is_compiled(frame: types.FrameType | None) -> bool:
    """Whether a frame lies within something that was compiled."""
    while frame is not None:
        if frame.f_code in _compiled:
            return True
        frame = frame.f_back
    return False


class _Config:
    """Settings of the compiler: anything may be set, and nothing depends on it."""

    suppress_errors = False
    cache_size_limit = recompile_limit = 8
    ignore_logger_methods = set()

    def __getattr__(self, name: str) -> bool:
        if name.startswith("__"):
            raise AttributeError(name)
        return False

    @contextmanager
    def patch(self, *_: Any, **__: Any) -> Iterator:
        yield


config = _Config()


def _keeps(fn=None, *_, **__):
    return fn if fn is not None else (lambda f: f)


disable = allow_in_graph = assume_constant_result = disallow_in_graph = forbid_in_graph = graph_break_free = _keeps
nonstrict_trace = run = skip = _keeps


def _nothing(*_, **__):
    pass


reset = mark_dynamic = maybe_mark_dynamic = mark_static = mark_static_address = mark_unbacked = graph_break = _nothing
reset_code_caches = override_optimization_hint = _nothing


def is_compiling() -> bool:
    return False


def optimize(*_: Any, **__: Any) -> Callable:
    """A decorator that leaves functions as they are, said once in the report."""
    from .. import _C

    _C._js.assume("compile_runs_eager", _C.here(), "", "")
    return lambda f: f


def lookup_backend(compiler_fn: Any) -> Any:
    return compiler_fn


def list_backends(exclude_tags: tuple[str, str] = ("debug", "experimental")) -> list[str]:
    return ["cudagraphs", "inductor", "onnxrt", "openxla", "tvm"]
