"""torch.fx.graph: operations in order, and the Python that runs them."""

from __future__ import annotations

import builtins
import keyword
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ._codegen import CodeGen, PythonCode
from .node import Node, _qualified_name, map_arg, public_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, NoReturn

    from torch.fx.graph_module import GraphModule
    from torch.fx._symbolic_trace import Tracer


__all__ = ["CodeGen", "Graph", "PythonCode"]
_RESERVED = {"inf", "nan", "NoneType", "torch", "device", "fx_pytree", "pytree"}


class _Names:
    """Names that a graph has given."""

    def __init__(self) -> None:
        self._used, self._counts = {}, {}

    def create_name(self, candidate: str, obj: Any = None) -> str:
        candidate = re.sub("[^0-9a-zA-Z_]+", "_", candidate) or "_unnamed"
        if candidate[0].isdigit():
            candidate = f"_{candidate}"
        match = re.match(r"(.*)_(\d+)$", candidate)
        base, number = (match.group(1), int(match.group(2))) if match else (candidate, None)
        if number is None or candidate in self._used:
            number = self._counts.get(base, 0)
        name = candidate
        while name in self._used or self._illegal(name, obj):
            number += 1
            name = f"{base}_{number}"
        self._counts[base] = number
        self._used[name] = obj
        return name

    @staticmethod
    def _illegal(name, obj):
        if name in keyword.kwlist:
            return True
        known = getattr(builtins, name, None)
        return (known is not None and known is not obj) or (name in _RESERVED)


class _NodeList:
    def __init__(self, graph: Graph, backwards: bool = False) -> None:
        self.graph, self.backwards = graph, backwards

    def __len__(self) -> int:
        return self.graph._len

    def __iter__(self) -> Iterator:
        root = self.graph._root
        node = root._prev if self.backwards else root._next
        while node is not root:
            # a node that is taken out meanwhile still knows its neighbours
            if not node._erased:
                yield node
            node = node._prev if self.backwards else node._next

    def __reversed__(self) -> _NodeList:
        return _NodeList(self.graph, not self.backwards)


class Graph:
    def __init__(
        self,
        owning_module: GraphModule | None = None,
        tracer_cls: type[Tracer] | None = None,
        tracer_extras: dict[str, Any] | None = None,
    ) -> None:
        self._root = Node(self, "", "root", "", (), {})
        self._insert = self._root.prepend
        self._len = 0
        self._names = _Names()
        self._tracer_cls, self._tracer_extras = tracer_cls, tracer_extras
        self._codegen = CodeGen()
        self.owning_module = owning_module

    @property
    def nodes(self) -> _NodeList:
        return _NodeList(self)

    def find_nodes(self, *, op: str, target: Any = None, sort: bool = True) -> list:
        return [n for n in self.nodes if n.op == op and (target is None or n.target == target)]

    def output_node(self) -> Node:
        return next(n for n in reversed(self.nodes) if n.op == "output")

    def create_node(
        self,
        op: str,
        target: Any,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        name: str | None = None,
        type_expr: Any = None,
    ) -> Node:
        candidate = name if name is not None else self._target_to_str(target)
        node = Node(self, self._names.create_name(candidate), op, target, args or (), kwargs or {}, type_expr)
        self._insert(node)
        self._len += 1
        return node

    def _target_to_str(self, target):
        text = target if isinstance(target, str) else public_name(target)
        if not isinstance(target, str) and text.startswith("__") and text.endswith("__"):
            text = text[2:-2]
        text = text.replace(".", "_").strip("_") if isinstance(target, str) else text.lstrip("_")
        return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", text).lower() or "_unnamed"

    def placeholder(self, name: str, type_expr: Any = None, default_value: Any = ...) -> Node:
        args = () if default_value is ... else (default_value,)
        return self.create_node("placeholder", name, args, type_expr=type_expr)

    def get_attr(self, qualified_name: str, type_expr: Any = None) -> Node:
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(
        self,
        module_name: str,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        type_expr: Any = None,
    ) -> Node:
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def call_method(
        self,
        method_name: str,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        type_expr: Any = None,
    ) -> Node:
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_function(
        self,
        the_function: Callable[..., Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        type_expr: Any = None,
        name: str | None = None,
    ) -> Node:
        return self.create_node("call_function", the_function, args, kwargs, name, type_expr)

    def output(self, result: Any, type_expr: Any = None) -> Node:
        return self.create_node("output", "output", (result,), type_expr=type_expr)

    def node_copy(self, node: Node, arg_transform: Callable[[Node], Any] = lambda x: x) -> Node:
        copied = self.create_node(
            node.op,
            node.target,
            map_arg(node.args, arg_transform),
            map_arg(node.kwargs, arg_transform),
            node.name,
            node.type,
        )
        copied.meta = dict(node.meta)
        return copied

    def graph_copy(self, g: Graph, val_map: dict[Node, Node], return_output_node: bool = False) -> Any:
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                value = map_arg(node.args[0], lambda n: val_map[n])
                return (value, node) if return_output_node else value
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo: dict = None) -> Graph:
        copied = Graph(tracer_cls=self._tracer_cls)
        result = copied.graph_copy(self, {}, return_output_node=True)
        if result is not None:
            copied.output(result[0], result[1].type)
        return copied

    def erase_node(self, to_erase: Node) -> None:
        if to_erase.users:
            raise RuntimeError(
                f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in the graph: {to_erase.users}!"
            )
        if to_erase._erased:
            return
        to_erase._take_out()
        to_erase._erased = True
        self._len -= 1
        to_erase._update((), {})

    @contextmanager
    def _inserting(self, insert):
        before, self._insert = self._insert, insert
        try:
            yield
        finally:
            self._insert = before

    def inserting_before(self, n: Node | None = None) -> Any:
        return self._inserting((n or self._root._next).prepend)

    def inserting_after(self, n: Node | None = None) -> Any:
        return self._inserting((n or self._root).append)

    def eliminate_dead_code(self, is_impure_node: Callable[[Node], bool] | None = None) -> bool:
        changed = False
        for node in list(reversed(self.nodes)):
            impure = is_impure_node(node) if is_impure_node else node.is_impure()
            if not impure and not node.users:
                self.erase_node(node)
                changed = True
        return changed

    def process_inputs(self, *args: Any) -> Any:
        return args

    def process_outputs(self, out: Any) -> Any:
        return out

    def lint(self) -> None:
        """Checks that nodes are made before they are used, once each, and that what they name exists."""
        seen, names = set(), set()
        for node in self.nodes:
            for used in node.all_input_nodes:
                if used.graph is not self:
                    raise RuntimeError(
                        f"Argument '{used}' of Node '{node}' does not belong to this Graph, but was used!"
                    )
                if used not in seen:
                    raise RuntimeError(
                        f"Argument '{used}' of Node '{node}' was used before it has been defined! Please check that Nodes in the graph are topologically ordered\n{self}"
                    )
            if node.name in names:
                raise RuntimeError(f"Node redefined name {node.name}!")
            seen.add(node)
            names.add(node.name)
            if node.op == "call_function" and not callable(node.target):
                raise ValueError(
                    f"Node {node} target {node.target} has type {type(node.target)} but a Callable is expected"
                )
            if self.owning_module is not None and node.op in ("get_attr", "call_module"):
                at = self.owning_module
                for part in node.target.split("."):
                    if not hasattr(at, part):
                        raise RuntimeError(
                            f"Node {node} target {node.target} references nonexistent attribute {part} of {at}"
                        )
                    at = getattr(at, part)

    def python_code(self, root_module: str, **_: Any) -> PythonCode:
        return self._codegen.code_of(self, root_module)

    def set_codegen(self, codegen: CodeGen) -> None:
        self._codegen = codegen

    def on_generate_code(self, make_transformer: Callable) -> NoReturn:
        raise NotImplementedError("vramscope does not change the code that a graph generates")

    def print_tabular(self) -> None:
        rows = [("opcode", "name", "target", "args", "kwargs")]
        rows += [tuple(map(str, (n.op, n.name, n.target, n.args, n.kwargs))) for n in self.nodes]
        widths = [max(len(row[i]) for row in rows) for i in range(5)]
        line = lambda row: "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip()
        print("\n".join([line(rows[0]), "  ".join("-" * w for w in widths), *map(line, rows[1:])]))

    def __str__(self) -> str:
        return "graph():" + "".join(f"\n    {node.format_node()}" for node in self.nodes)


_get_qualified_name = _qualified_name
