"""While a program is traced, torch's functions and methods look for proxies among their arguments and record the call instead.

PyTorch asks each argument for `__torch_function__` in C++ and at the top of the Python functions of torch.nn.functional; here the
functions themselves are exchanged for the time of the trace, wherever a program's modules name them.
"""

from __future__ import annotations

import inspect
import operator
import sys
import types
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .node import _BOUND_IN_C
from .proxy import MAGIC, Proxy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


_PLACES = ("torch", "torch.nn.functional", "torch.linalg", "torch.special", "torch.fft")
_NOT_OPERATORS = frozenset(
    """is_tensor is_storage manual_seed seed set_grad_enabled save load compile typename no_grad enable_grad device
    set_default_dtype get_default_dtype is_grad_enabled initial_seed use_deterministic_algorithms wrap""".split()
)


def proxy_of(values: list[Proxy] | tuple) -> Proxy:
    """The first proxy among arguments, also in lists."""
    for value in values:
        if isinstance(value, Proxy):
            return value
        if isinstance(value, (tuple, list)):
            found = proxy_of(value)
            if found is not None:
                return found
        elif isinstance(value, slice):
            found = proxy_of((value.start, value.stop, value.step))
            if found is not None:
                return found
    return None


def recorded(function: Callable, arguments: Any = None, as_itself: bool = False) -> Callable:
    """The function as it is while something is traced."""

    def call(*args, **kwargs):
        proxy = proxy_of((*args, *kwargs.values()))
        if proxy is None:
            return function(*args, **kwargs)
        if arguments is not None:
            args, kwargs = arguments(args, kwargs)
        return proxy.tracer.create_proxy("call_function", call if as_itself else function, args, kwargs)

    call._recorded = function
    call.__name__, call.__module__ = function.__name__, function.__module__
    return call


_staying = []


def stay() -> None:
    """A program makes proxies by itself, outside of a trace: from here on torch's functions look for them."""
    if not hasattr(sys.modules["torch"].relu, "_recorded"):
        _staying.append(intercepted((), as_itself=True))
        _staying[0].__enter__()


def _completed(function):
    """A function written in Python hands on what has a default by its name (handle_torch_function in functional.py)."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    if kinds & {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}:
        return None

    def complete(args, kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        first, rest = [], {}
        for name, value in bound.arguments.items():
            if signature.parameters[name].default is inspect.Parameter.empty:
                first.append(value)
            else:
                rest[name] = value
        return tuple(first), rest

    return complete


def _functions(as_itself):
    """Each function once, with what stands for it."""
    made = {}
    for place in _PLACES:
        module = sys.modules.get(place)
        for name, value in vars(module).items() if module else ():
            if name.startswith("__") or name in _NOT_OPERATORS or not isinstance(value, types.FunctionType):
                continue
            if id(value) in made:
                continue
            python = place == "torch.nn.functional" and name not in _BOUND_IN_C
            made[id(value)] = (value, recorded(value, _completed(value) if python else None, as_itself))
    return made


def _methods(tensor):
    """Methods of Tensor that may be handed a proxy: `parameter + proxy`, `tensor.add(proxy)`."""

    def method(name, function):
        def call(self, *args, **kwargs):
            proxy = proxy_of((*args, *kwargs.values()))
            if proxy is None:
                return function(self, *args, **kwargs)
            return proxy.tracer.create_proxy("call_method", name, (self, *args), kwargs)

        return call

    def operation(of, function, turned):
        def call(self, other):
            if not isinstance(other, Proxy):
                return function(self, other)
            return other.tracer.create_proxy("call_function", of, (other, self) if turned else (self, other), {})

        return call

    made = {}
    for base in reversed(tensor.__mro__[:-1]):
        for name, function in vars(base).items():
            if isinstance(function, types.FunctionType) and not name.startswith("_"):
                made[name] = method(name, function)
    for name in MAGIC:
        for turned in (False, True):
            full = f"__{'r' if turned else ''}{name.strip('_')}__"
            if hasattr(tensor, full):
                made[full] = operation(getattr(operator, name), getattr(tensor, full), turned)
    read = tensor.__getitem__
    made["__getitem__"] = lambda self, at: (
        read(self, at)
        if (proxy := proxy_of((at,))) is None
        else proxy.tracer.create_proxy("call_function", operator.getitem, (self, at), {})
    )
    return made


@contextmanager
def intercepted(wrapped: Any, as_itself: bool = False) -> Iterator:
    """`wrapped`: (module's globals, name) of functions that torch.fx.wrap named. `as_itself`: what stands for a function is the target."""
    import torch

    changes = []

    def put(holder, name, value):
        own = vars(holder) if not isinstance(holder, dict) else holder
        changes.append((holder, name, own.get(name), name in own))
        if isinstance(holder, dict):
            holder[name] = value
        else:
            setattr(holder, name, value)

    functions = _functions(as_itself)
    for module in list(sys.modules.values()):
        own = getattr(module, "__dict__", None)
        inside = getattr(module, "__name__", "").startswith("torch.") and module.__name__ not in _PLACES
        if not isinstance(own, dict) or inside:
            continue
        for name, value in list(own.items()):
            if type(value) is types.FunctionType and id(value) in functions:
                put(own, name, functions[id(value)][1])
    for name, function in _methods(torch.Tensor).items():
        put(torch.Tensor, name, function)
    for own, name in wrapped:
        known = own.get(
            name, getattr(__builtins__, name, None) if not isinstance(__builtins__, dict) else __builtins__.get(name)
        )
        if known is not None and not hasattr(known, "_recorded"):
            put(own, name, recorded(known))
    try:
        yield {known: standing for known, (_, standing) in functions.items()}
    finally:
        for holder, name, value, was in reversed(changes):
            if isinstance(holder, dict):
                if was:
                    holder[name] = value
                else:
                    del holder[name]
            elif was:
                setattr(holder, name, value)
            else:
                delattr(holder, name)
