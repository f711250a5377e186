"""torch.fx.proxy: values that stand for nodes while a program is traced."""

from __future__ import annotations

import dis
import operator
import sys
from typing import TYPE_CHECKING

from .node import Node, base_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from torch.fx.graph import Graph


__all__ = ["Attribute", "GraphAppendingTracer", "Proxy", "TraceError", "TracerBase"]


class TraceError(ValueError):
    pass


class TracerBase:
    record_stack_traces = False
    check_mutable_operations = False
    trace_asserts = False
    proxy_buffer_attributes = False

    def create_node(
        self,
        kind: str,
        target: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        name: str | None = None,
        type_expr: Any = None,
    ) -> Node:
        return self.graph.create_node(kind, target, args, kwargs, name, type_expr)

    def proxy(self, node: Node) -> Proxy:
        return Proxy(node, self)

    def create_proxy(
        self,
        kind: str,
        target: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        name: str | None = None,
        type_expr: Any = None,
        proxy_factory_fn: Callable[[Node], Proxy] | None = None,
    ) -> Proxy:
        node = self.create_node(kind, target, self.create_arg(args), self.create_arg(kwargs), name, type_expr)
        return proxy_factory_fn(node) if proxy_factory_fn else self.proxy(node)

    def create_arg(self, a: Any) -> Any:
        """What a graph keeps of an argument: nodes for proxies, all else must be able to stand in generated code."""
        import torch

        if isinstance(a, Proxy):
            return a.node
        if isinstance(a, Node):
            return a
        if isinstance(a, (tuple, list, dict, slice)):
            if isinstance(a, dict) and any(isinstance(k, Proxy) for k in a):
                raise RuntimeError("Keys for dictionaries used as an argument cannot contain a Node")
            if isinstance(a, slice):
                return slice(*(self.create_arg(v) for v in (a.start, a.stop, a.step)))
            if isinstance(a, dict):
                return {k: self.create_arg(v) for k, v in a.items()}
            if hasattr(a, "_fields"):
                return type(a)(*(self.create_arg(v) for v in a))
            made = [self.create_arg(v) for v in a]
            return made if isinstance(a, list) else tuple(made)
        if isinstance(a, range):
            return range(*(self.create_arg(v) for v in (a.start, a.stop, a.step)))
        small = (torch.dtype, torch.device, torch.layout, torch.memory_format, type(None), type(...))
        if isinstance(a, (*base_types, *small)) or (callable(a) and hasattr(a, "__name__")):
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")

    def to_bool(self, obj: Proxy) -> bool:
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def iter(self, obj: Proxy) -> Iterator:
        """Unpacking into names says how many there are; anything else cannot be known."""
        frame = sys._getframe(2)
        for at in dis.get_instructions(frame.f_code):
            if at.offset == frame.f_lasti and at.opname == "UNPACK_SEQUENCE":
                return (obj[i] for i in range(at.argval))
        raise TraceError(
            "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or **kwargs "
            "function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what types of control "
            "flow can be traced, and check out the Proxy docstring for help troubleshooting Proxy iteration errors"
        )

    def keys(self, obj: Proxy) -> Proxy:
        return Attribute(obj, "keys")()


class GraphAppendingTracer(TracerBase):
    def __init__(self, graph: Graph) -> None:
        from ._intercept import stay

        self.graph = graph
        stay()


class Proxy:
    """Records whatever is done with it."""

    def __init__(self, node: Node, tracer: TracerBase | None = None) -> None:
        self.node = node
        self.tracer = tracer if tracer is not None else GraphAppendingTracer(node.graph)

    def __repr__(self) -> str:
        return f"Proxy({self.node.name})"

    def __getattr__(self, name: str) -> Attribute:
        if name in ("node", "tracer"):
            raise AttributeError(name)
        return Attribute(self, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Proxy:
        return self.tracer.create_proxy("call_method", "__call__", (self, *args), kwargs)

    def __iter__(self) -> Iterator[Proxy]:
        return iter(self.tracer.iter(self))

    def __bool__(self) -> bool:
        return self.tracer.to_bool(self)

    def __len__(self) -> int:
        raise RuntimeError(
            "'len' is not supported in symbolic tracing by default. If you want this call to be recorded, please call torch.fx.wrap('len') at module scope"
        )

    def __index__(self) -> int:
        raise RuntimeError("symbolically traced variables cannot be used as an index")

    def keys(self) -> Proxy:
        return self.tracer.keys(self)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.tracer.create_proxy("call_function", operator.setitem, (self, key, value), {})

    __hash__ = object.__hash__


class Attribute(Proxy):
    """An attribute of a proxy: a node when it is read, a method when it is called."""

    def __init__(self, root: Proxy, attr: str) -> None:
        self.root, self.attr, self.tracer = root, attr, root.tracer
        self._node = None

    @property
    def node(self) -> Node:
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args: Any, **kwargs: Any) -> Proxy:
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)


def _binary(function):
    return lambda self, *others: self.tracer.create_proxy("call_function", function, (self, *others), {})


def _reflected(function):
    return lambda self, other: self.tracer.create_proxy("call_function", function, (other, self), {})


MAGIC = "add sub mul floordiv truediv mod pow lshift rshift and_ or_ xor matmul".split()
for _name in [*MAGIC, *"lt gt le ge eq ne getitem neg pos invert".split()]:
    setattr(Proxy, f"__{_name.strip('_')}__", _binary(getattr(operator, _name)))
for _name in MAGIC:
    setattr(Proxy, f"__r{_name.strip('_')}__", _reflected(getattr(operator, _name)))
Proxy.__abs__ = lambda self: self.tracer.create_proxy("call_function", abs, (self,), {})
Proxy.__round__ = lambda self, *n: self.tracer.create_proxy("call_function", round, (self, *n), {})
