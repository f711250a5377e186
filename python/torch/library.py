"""torch.library: custom operators run as plain Python functions, with the backward that was registered for them."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import torch

from . import _C
from ._library.infer_schema import infer_schema as infer_schema
from ._ops import ops

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, NoReturn


class _Call(torch.autograd.Function):
    """An operator with a registered backward: as an autograd function."""

    @staticmethod
    def forward(ctx: Any, op: Any, names: Sequence[str], keywords: Any, *values: Any) -> Any:
        inputs = tuple(values[: len(values) - len(names)])
        keyword_values = dict(zip(names, values[len(inputs) :]))
        ctx._op, ctx._count = op, len(values)
        result = op._run(*inputs, **keyword_values)
        if op._setup_context is not None:
            ctx._inputs = inputs
            arguments = {"ctx": ctx, "inputs": inputs, "output": result}
            if keywords:
                arguments["keyword_only_inputs"] = keyword_values
            op._setup_context(**arguments)
        return result

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple:
        found = ctx._op._backward(ctx, *grads)
        found = tuple(found) if isinstance(found, (tuple, list)) else (found,)
        return (None, None, None, *found, *[None] * (ctx._count - len(found)))


class CustomOpDef:
    """An operator that a program defined: `namespace::name` and the function that computes it."""

    def __init__(self, namespace: str, name: str, function: Callable) -> None:
        self._namespace, self._name, self._function = namespace, name, function
        self._qualname = f"{namespace}::{name}"
        self._kernels, self._backward, self._setup_context = {}, None, None
        functools.update_wrapper(self, function)

    def _run(self, *args, **kwargs):
        chosen = self._function
        if self._kernels:
            first = next((a for a in (*args, *kwargs.values()) if isinstance(a, torch.Tensor)), None)
            chosen = self._kernels.get(first.device.type if first is not None else "cpu", chosen)
        with torch.no_grad():
            return chosen(*args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._backward is None:
            return self._run(*args, **kwargs)
        return _Call.apply(self, tuple(kwargs), False, *args, *kwargs.values())

    def register_fake(self, fn: Callable, /) -> Callable:
        return fn

    register_vmap = register_torch_dispatch = register_fake

    def register_kernel(self, device_types: str | Sequence[str] | None, fn: Callable | None = None, /) -> Callable:
        def keep(f):
            for device in (device_types,) if isinstance(device_types, str) else device_types or ("cuda", "cpu"):
                self._kernels[device] = f
            return f

        return keep if fn is None else keep(fn)

    def register_autocast(self, device_type: str, cast_inputs: torch.dtype) -> NoReturn:
        raise _C.UnsupportedOp("vramscope does not simulate torch.library.register_autocast")

    def register_autograd(self, backward: Callable, /, *, setup_context: Callable | None = None) -> None:
        self._backward, self._setup_context = backward, setup_context

    def set_kernel_enabled(self, device_type: str, enabled: bool = True) -> None:
        pass


_defined = {}


def _define(qualname, function):
    namespace, _, name = qualname.partition("::")
    made = CustomOpDef(namespace, name.partition(".")[0], function)
    _defined[made._qualname] = made
    ops._add(namespace, made._name, made)
    return made


def custom_op(
    name: str,
    fn: Callable | None = None,
    /,
    *,
    mutates_args: str | Iterable[str] = "unknown",
    device_types: str | Sequence[str] | None = None,
    schema: str | None = None,
    tags: Any = None,
) -> CustomOpDef | Callable:
    """Defines `namespace::name` by a function on tensors."""
    return (lambda f: _define(name, f)) if fn is None else _define(name, fn)


triton_op = custom_op


def wrap_triton(kernel: Any) -> Any:
    return kernel


def _op_of(op):
    if isinstance(op, CustomOpDef):
        return op
    name = op if isinstance(op, str) else getattr(op, "_qualified_op_name", None) or op.name()
    return _defined.get(name.partition(".")[0])


def _register(method):
    def register(op, func=None, /, *_, **options):
        known = _op_of(op)

        def keep(f):
            if known is not None:
                getattr(known, method)(f)
            return f

        return keep if func is None else keep(func)

    return register


register_fake, register_vmap = _register("register_fake"), _register("register_vmap")


def register_kernel(
    op: str, device_types: str | Sequence[str] | None, func: Callable | None = None, /, *, lib: Library | None = None
) -> Any:
    known = _op_of(op)
    return known.register_kernel(device_types, func) if known is not None else (lambda f: f) if func is None else func


def register_autograd(
    op: str, backward: Callable, /, *, setup_context: Callable | None = None, lib: Any = None
) -> None:
    known = _op_of(op)
    if known is not None:
        known.register_autograd(backward, setup_context=setup_context)


def register_torch_dispatch(
    op: str, torch_dispatch_class: Any, func: Callable | None = None, /, *, lib: Library | None = None
) -> Callable | None:
    return (lambda f: f) if func is None else func


def impl_abstract(qualname: str, func: Callable | None = None, *, lib: Any = None, _stacklevel: int = 1) -> Any:
    return register_fake(qualname, func)


def opcheck(*_: Any, **__: Any) -> dict[str, str]:
    return {}


def _implement(qualname, function, device):
    known = _defined.get(qualname) or _define(qualname, function)
    if device in ("CUDA", "CPU", "cuda", "cpu"):
        known.register_kernel(device.lower(), function)
    elif device in ("CompositeExplicitAutograd", "CompositeImplicitAutograd", "default", ""):
        known._function = function
    return function


def define(qualname: str, schema: str | None = None, *, lib: Any = None, tags: tuple = ()) -> None:
    """Says that an operator exists; what it computes comes by `impl`. Given an argument list alone, a decorator."""
    namespace_and_name = qualname.partition("(")[0]

    def missing(*_, **__):
        raise NotImplementedError(f"{namespace_and_name} has no implementation")

    if namespace_and_name not in _defined:
        _define(namespace_and_name, missing)


def impl(
    qualname: str | Library, types: str | Sequence[str], func: Any = None, *, lib: Library | None = None
) -> object:
    if isinstance(qualname, Library):
        # the former form: a library, the operator's name, and for what
        library, name, key = qualname, types, func or ""
        return lambda f: library.impl(name, f, key) or f
    kinds = (types,) if isinstance(types, str) else types

    def keep(f):
        for kind in kinds:
            _implement(qualname, f, kind)
        return f

    return keep if func is None else keep(func)


class Library:
    """A namespace of operators, or a place to register more for one that exists."""

    def __init__(self, ns: Any, kind: Any, dispatch_key: str = "") -> None:
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def define(self, schema: str, alias_analysis: str = "", *, tags: tuple = ()) -> Any:
        name = schema.partition("(")[0].strip()
        define(f"{self.ns}::{name}")
        return name

    def impl(
        self,
        op_name: Any,
        fn: Callable,
        dispatch_key: str = "",
        *,
        with_keyset: bool = False,
        allow_override: bool = False,
    ) -> None:
        name = op_name if isinstance(op_name, str) else op_name.name()
        name = name.partition("::")[2] or name
        key = dispatch_key or self.dispatch_key
        if key in ("Meta", "AutocastCUDA", "Autograd", "AutogradCUDA"):
            return
        _implement(f"{self.ns}::{name.partition('.')[0]}", fn, key)

    def fallback(self, fn: Callable, dispatch_key: str = "", *, with_keyset: bool = False) -> None:
        pass

    def _register_fake(self, op_name, fn, *_, **__):
        pass

    def _destroy(self):
        pass
