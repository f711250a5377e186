"""torch.fx.node: one operation of a graph, and the maps over nested arguments."""

from __future__ import annotations

import builtins
import types
from typing import TYPE_CHECKING

from torch.nn.functional import _rows

from .immutable_collections import immutable_dict, immutable_list

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch
    from torch import Tensor
    from torch.fx.graph import Graph


base_types = (str, int, float, bool, complex)
BaseArgumentTypes = Argument = Target = object
_legal_ops = {"placeholder", "call_method", "call_module", "call_function", "get_attr", "output", "root"}
_side_effectful_functions = set()


def has_side_effect(fn: Callable) -> Callable:
    """Dead code elimination keeps calls of this function."""
    _side_effectful_functions.add(fn)
    return fn


def map_aggregate(a: Any, fn: Callable[[Any], Any]) -> Node | bool | float | immutable_dict | tuple | None:
    """fn of each leaf of nested tuples, lists, dictionaries and slices."""
    if isinstance(a, tuple):
        mapped = tuple(map_aggregate(x, fn) for x in a)
        return type(a)(*mapped) if hasattr(a, "_fields") else mapped
    if isinstance(a, list):
        return immutable_list(map_aggregate(x, fn) for x in a)
    if isinstance(a, dict):
        return immutable_dict((k, map_aggregate(v, fn)) for k, v in a.items())
    if isinstance(a, slice):
        return slice(map_aggregate(a.start, fn), map_aggregate(a.stop, fn), map_aggregate(a.step, fn))
    return fn(a)


def map_arg(a: tuple, fn: Callable[[Node], Any]) -> tuple:
    """fn of each node among nested arguments."""
    return map_aggregate(a, lambda x: fn(x) if isinstance(x, Node) else x)


_public = {}  # function -> its name, where it has several: the shortest


def public_name(func: Callable) -> str:
    """By which name a function of torch is known: its own may be that of an alias."""
    if not _public:
        import torch

        for module in (torch, torch.nn.functional):
            for name, value in vars(module).items():
                value = getattr(value, "_recorded", value)  # while something is traced
                if isinstance(value, types.FunctionType) and len(name) < len(_public.get(value, name + "_")):
                    _public[value] = name
    return _public.get(getattr(func, "_recorded", func), func.__name__)


def _is(module, name, func):
    found = getattr(module, name, None)
    return getattr(func, "_recorded", func) is getattr(found, "_recorded", found)


def _qualified_name(func):
    """Under which name generated code finds a function: _get_qualified_name."""
    name = func.__name__
    if getattr(builtins, name, None) is func:
        return name
    import torch

    packet = getattr(func, "_qualified_op_name", None) or (getattr(func, "overloadpacket", None) and func.name())
    if packet:
        return f"torch.ops.{str(func)}" if hasattr(func, "overloadpacket") else f"torch.ops.{packet.replace('::', '.')}"
    if isinstance(func, types.FunctionType):
        name = public_name(func)
        if _is(torch, name, func):
            return f"torch.{name}"
        if _is(torch.nn.functional, name, func):
            place = "torch._C._nn" if name in _BOUND_IN_C else "torch.nn.functional"
            return f"{place}.{name}"
    module = (getattr(func, "__module__", None) or "").replace("_operator", "operator")
    return f"{module}.{getattr(func, '__qualname__', name)}"


# Functions of torch.nn.functional that are torch's or torch._C._nn's own (functional.py binds them by their names).
_BOUND_IN_C = frozenset((*_rows.__all__, "hardtanh_", "elu_", "leaky_relu_", "one_hot", "scaled_dot_product_attention"))


class Node:
    """`op`, `target` and arguments; `users` are those that read it."""

    def __init__(
        self,
        graph: Graph,
        name: str,
        op: str,
        target: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        return_type: Any = None,
    ) -> None:
        self.graph, self.name, self.op, self.target, self.type = graph, name, op, target, return_type
        self.users, self._input_nodes = {}, {}
        self._args, self._kwargs = (), {}
        self._sort_key, self._repr_fn, self._erased = (), None, False
        self.meta = {}
        self._prev = self._next = self
        self._update(args, kwargs)

    def _update(self, args, kwargs):
        for node in self._input_nodes:
            node.users.pop(self, None)
        self._args = map_aggregate(tuple(args), lambda x: x)
        self._kwargs = map_aggregate(dict(kwargs), lambda x: x)
        self._input_nodes = {}
        map_arg((self._args, self._kwargs), self._input_nodes.setdefault)
        for node in self._input_nodes:
            node.users.setdefault(self)

    @property
    def args(self) -> tuple[Any, ...] | None:
        return self._args

    @args.setter
    def args(self, values: Any) -> None:
        self._update(values, self._kwargs)

    @property
    def kwargs(self) -> dict[str, Any] | None:
        return self._kwargs

    @kwargs.setter
    def kwargs(self, values: Any) -> None:
        self._update(self._args, values)

    @property
    def all_input_nodes(self) -> list[Node]:
        return list(self._input_nodes)

    @property
    def next(self) -> Node:
        return self._next

    @property
    def prev(self) -> Node:
        return self._prev

    @property
    def stack_trace(self) -> str | None:
        return self.meta.get("stack_trace")

    def update_arg(self, idx: int, arg: Any) -> None:
        self.args = (*self.args[:idx], arg, *self.args[idx + 1 :])

    def insert_arg(self, idx: int, arg: Any) -> None:
        self.args = (*self.args[:idx], arg, *self.args[idx:])

    def update_kwarg(self, key: str, arg: Any) -> None:
        self.kwargs = {**self.kwargs, key: arg}

    def prepend(self, x: Node) -> None:
        """Puts x before this node."""
        if x is self:
            return
        x._take_out()
        x._prev, x._next = self._prev, self
        self._prev._next = self._prev = x

    def append(self, x: Node) -> None:
        self._next.prepend(x)

    def _take_out(self):
        self._prev._next, self._next._prev = self._next, self._prev

    def __lt__(self, other: Tensor) -> bool:
        order = list(self.graph.nodes)
        return order.index(self) < order.index(other)

    def replace_all_uses_with(
        self,
        replace_with: Node,
        delete_user_cb: Callable[[Node], bool] | None = lambda user: True,
        *,
        propagate_meta: bool = False,
    ) -> list[Node]:
        changed = [user for user in self.users if delete_user_cb(user)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        if propagate_meta:
            replace_with.meta.update(self.meta)
        return changed

    def replace_input_with(self, old_input: Node, new_input: Node) -> None:
        swap = lambda node: new_input if node is old_input else node
        self._update(map_arg(self._args, swap), map_arg(self._kwargs, swap))

    def is_impure(self, impure_random: bool = True) -> bool:
        if self.op in ("placeholder", "output"):
            return True
        if self.op == "call_function":
            return self.target in _side_effectful_functions
        if self.op == "call_module":
            return bool(getattr(self.graph.owning_module.get_submodule(self.target), "_is_impure", False))
        return self.op == "call_method" and self.target.endswith("_") and not self.target.endswith("__")

    def normalized_arguments(
        self,
        root: torch.nn.Module,
        arg_types: tuple[Any] | None = None,
        kwarg_types: dict[str, Any] | None = None,
        normalize_to_only_use_kwargs: bool = False,
    ) -> Any:
        import inspect

        from .operator_schemas import ArgsKwargsPair

        target = root.get_submodule(self.target).forward if self.op == "call_module" else self.target
        try:
            bound = inspect.signature(target).bind(*self.args, **self.kwargs)
        except (TypeError, ValueError):
            return None
        bound.apply_defaults()
        if normalize_to_only_use_kwargs:
            return ArgsKwargsPair((), dict(bound.arguments))
        return ArgsKwargsPair(bound.args, bound.kwargs)

    def _pretty_print_target(self, target):
        if isinstance(target, str):
            return target
        if getattr(target, "__module__", None) in ("builtins", "_operator"):
            return f"{'operator' if target.__module__ == '_operator' else 'builtins'}.{target.__name__}"
        return _qualified_name(target)

    def format_node(
        self, placeholder_names: list[str] | None = None, maybe_return_typename: list[str] | None = None, **_: Any
    ) -> str | None:
        users = f"[num_users={len(self.users)}]"
        if self.op == "placeholder":
            default = f"(default={self.args[0]})" if self.args else ""
            return f"%{self.name} : {users} = placeholder[target={self.target}]{default}"
        if self.op == "get_attr":
            return f"%{self.name} : {users} = get_attr[target={self._pretty_print_target(self.target)}]"
        if self.op == "output":
            return f"return {self.args[0]}"
        args, kwargs = _percent(self.args), _percent(self.kwargs)
        return f"%{self.name} : {users} = {self.op}[target={self._pretty_print_target(self.target)}](args = {args}, kwargs = {kwargs})"

    def __repr__(self) -> str:
        return self._repr_fn(self) if self._repr_fn else self.name

    def __format__(self, spec: str) -> str:
        return format(repr(self), spec)


def _percent(value):
    """Arguments as a graph prints them: nodes with a percent sign, texts and types without quotes."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_percent, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(map(_percent, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_percent(v)}" for k, v in value.items()) + "}"
    return f"%{value.name}" if isinstance(value, Node) else str(value)
