"""torch.fx._symbolic_trace: runs a module once with proxies, and keeps what was done with them."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING

import torch
from torch.nn import Module

from ._intercept import intercepted
from .graph import Graph
from .graph_module import GraphModule
from .proxy import TracerBase

if TYPE_CHECKING:
    import types
    from collections.abc import Callable
    from typing import Any

    from torch.fx.proxy import Proxy


_wrapped_fns = {}  # (id of a module's globals, name) -> those globals
_tracing = False


def is_fx_tracing() -> bool:
    return _tracing


def is_fx_symbolic_tracing() -> bool:
    return _tracing


def wrap(fn_or_name: Any) -> Any:
    """Calls of this function of the caller's module are recorded, not followed."""
    name = fn_or_name if isinstance(fn_or_name, str) else fn_or_name.__name__
    own = sys._getframe(1).f_globals
    _wrapped_fns[(id(own), name)] = own
    return fn_or_name


class PHBase:
    """The default of concrete_args: a value that stays a placeholder."""

    def __repr__(self) -> str:
        return "PH"


PH = PHBase()


class Tracer(TracerBase):
    def __init__(
        self,
        autowrap_modules: tuple[types.ModuleType] = (),
        autowrap_functions: tuple[Callable[..., Any], ...] = (),
        param_shapes_constant: bool = False,
    ) -> None:
        self._autowrap_functions = autowrap_functions
        self.param_shapes_constant = param_shapes_constant
        self.submodule_paths = None
        self.root = None
        self.tensor_attrs = {}

    def create_arg(self, a: Any) -> Any:
        if isinstance(a, torch.nn.Parameter):
            for name, parameter in self.root.named_parameters():
                if a is parameter:
                    return self.create_node("get_attr", name, (), {})
            raise NameError("parameter is not a member of this module")
        if isinstance(a, torch.Tensor):
            for name, buffer in self.root.named_buffers():
                if a is buffer:
                    return self.create_node("get_attr", name, (), {})
            name = self.tensor_attrs.get(a)
            if name is None:
                number = 0
                while hasattr(self.root, f"_tensor_constant{number}"):
                    number += 1
                name = self.tensor_attrs[a] = f"_tensor_constant{number}"
                setattr(self.root, name, a)
            return self.create_node("get_attr", name, (), {})
        return super().create_arg(a)

    def is_leaf_module(self, m: torch.nn.Module, module_qualified_name: str) -> bool:
        return m.__module__.startswith(("torch.nn", "torch.ao.nn")) and not isinstance(m, torch.nn.Sequential)

    def path_of_module(self, mod: torch.nn.Module) -> str:
        for name, module in self.root.named_modules():
            if module is mod:
                return name
        raise NameError("module is not installed as a submodule")

    def call_module(
        self, m: torch.nn.Module, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        path = self.path_of_module(m)
        if not self.is_leaf_module(m, path):
            return forward(*args, **kwargs)
        return self.create_proxy("call_module", path, args, kwargs)

    def getattr(self, attr: str, attr_val: Any, parameter_proxy_cache: dict[str, Proxy]) -> Any:
        if isinstance(attr_val, torch.nn.Parameter):
            named = self.root.named_parameters()
        elif self.proxy_buffer_attributes and isinstance(attr_val, torch.Tensor):
            named = self.root.named_buffers()
        else:
            return attr_val
        for name, known in named:
            if known is attr_val:
                if name not in parameter_proxy_cache:
                    parameter_proxy_cache[name] = self.create_proxy("get_attr", name, (), {})
                return parameter_proxy_cache[name]
        return attr_val

    def create_args_for_root(
        self,
        root_fn: Callable[..., Any],
        is_module: bool,
        concrete_args: dict[str, Any] | tuple[Any, ...] | None = None,
    ) -> tuple[Any, list]:
        """The function that is called, and proxies of its parameters."""
        function = inspect.unwrap(root_fn)
        parameters = list(inspect.signature(function).parameters.values())
        args = []
        if is_module:
            args.append(self.root)
            parameters = parameters[1:]
        keywords = {}
        for parameter in parameters:
            name, fixed = parameter.name, (concrete_args or {}).get(parameter.name, PH)
            default = parameter.default
            if fixed is not PH:
                value = fixed
            else:
                stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
                value = self.create_proxy(
                    "placeholder",
                    stars + name,
                    () if default is parameter.empty else (default,),
                    {},
                    type_expr=None if parameter.annotation is parameter.empty else parameter.annotation,
                )
            if parameter.kind is parameter.KEYWORD_ONLY:
                keywords[name] = value
            else:
                args.append(value)
        if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
            function = _taking_all(function)
        return (lambda *a: function(*a, **keywords)) if keywords else function, args

    def trace(self, root: torch.nn.Module | Callable[..., Any], concrete_args: dict[str, Any] | None = None) -> Graph:
        global _tracing
        if isinstance(root, Module):
            self.root, function, self.root_module_name = root, type(root).forward, type(root).__name__
            if "forward" in vars(root):
                own = vars(root)["forward"]
                function = lambda self, *args: own(*args)
                function.__signature__ = inspect.Signature(
                    [
                        inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY),
                        *inspect.signature(own).parameters.values(),
                    ]
                )
        else:
            self.root, function, self.root_module_name = Module(), root, ""
        self.graph = Graph(tracer_cls=type(self))
        self.tensor_attrs = {
            value: name
            for module_name, module in self.root.named_modules()
            for own, value in vars(module).items()
            if isinstance(value, torch.Tensor)
            for name in [f"{module_name}.{own}" if module_name else own]
        }
        cache = {}
        called, read = Module.__call__, Module.__getattr__
        tracer = self

        def call(module, *args, **kwargs):
            return tracer.call_module(module, lambda *a, **k: called(module, *a, **k), args, kwargs)

        def attribute(module, name):
            return tracer.getattr(name, read(module, name), cache)

        was, _tracing = _tracing, True
        wrapped = [(own, name) for (_, name), own in _wrapped_fns.items()]
        wrapped += [(f.__globals__, f.__name__) for f in self._autowrap_functions]
        try:
            function, args = self.create_args_for_root(function, isinstance(root, Module), concrete_args)
            Module.__call__, Module.__getattr__ = call, attribute
            with intercepted(wrapped):
                result = function(*args)
            self.create_node("output", "output", (self.create_arg(result),), {})
        finally:
            _tracing = was
            Module.__call__, Module.__getattr__ = called, read
        return self.graph


def _taking_all(function):
    """Hands the proxies of `*args` and `**kwargs` over as they are: they stand for all of them."""
    import types

    code = function.__code__
    names = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    plain = code.replace(co_argcount=names, co_kwonlyargcount=0, co_flags=code.co_flags & ~12)
    return types.FunctionType(
        plain, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )


def symbolic_trace(
    root: torch.nn.Module | Callable[..., Any], concrete_args: dict[str, Any] | None = None
) -> GraphModule:
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, Module) else root.__name__
    return GraphModule(tracer.root, graph, name)
