"""torchviz: the autograd graph that leads to a tensor, as text for Graphviz. Graphviz itself does not run here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import _C
from torch import Tensor

if TYPE_CHECKING:
    from typing import Any


class Digraph:
    """The part of graphviz.Digraph that make_dot's users call."""

    def __init__(self) -> None:
        self.body = []
        self.graph_attr = {}
        self.filename = "Digraph.gv"

    def attr(self, kind: str | None = None, **attributes: Any) -> None:
        self.graph_attr.update(attributes)

    def node(self, name: str, label: str | None = None, **attributes: Any) -> None:
        self.body.append(f"\t{_quoted(name)} [{_attributes(label=label, **attributes)}]\n")

    def edge(self, tail: Any, head: Any, **attributes: Any) -> None:
        tail_of = f" [{_attributes(**attributes)}]" if attributes else ""
        self.body.append(f"\t{_quoted(tail)} -> {_quoted(head)}{tail_of}\n")

    @property
    def source(self) -> Any:
        graph = f"\tgraph [{_attributes(**self.graph_attr)}]\n" if self.graph_attr else ""
        return (
            "digraph {\n"
            + graph
            + "\tnode [align=left fontname=monospace fontsize=10 height=0.2 ranksep=0.1 shape=box style=filled]\n"
            + "".join(self.body)
            + "}\n"
        )

    __str__ = lambda self: self.source

    def save(self, filename: str | None = None, directory: str | None = None, **_: Any) -> str:
        import os

        path = os.path.join(directory or "", str(filename or self.filename))
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w") as f:
            f.write(self.source)
        return path

    def render(
        self,
        filename: str | None = None,
        directory: str | None = None,
        view: bool = False,
        cleanup: bool = False,
        format: Any = None,
        **_: Any,
    ) -> str:
        """Writes the text; a picture of it takes Graphviz, which a simulated program cannot start."""
        _C._js.assume("graphviz_not_run", _C.here(), "", "")
        return self.save(filename, directory)

    def view(self, *args: Any, **kwargs: Any) -> str:
        return self.render(*args, **kwargs)


def _quoted(text):
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _attributes(**attributes):
    return " ".join(f"{k}={_quoted(v)}" for k, v in attributes.items() if v is not None)


def _size(tensor):
    return "(" + ", ".join(str(s) for s in tensor.size()) + ")"


def make_dot(
    var: Any, params: Any = None, show_attrs: bool = False, show_saved: bool = False, max_attr_chars: int = 50
) -> Digraph:
    """A Digraph of the nodes behind `var` (a tensor or several): blue leaves with their names in `params`, orange saved tensors."""
    names = {}
    for name, tensor in dict(params).items() if params is not None else ():
        if not isinstance(tensor, Tensor):
            raise TypeError("params must contain tensors")
        names[tensor._h] = name
    dot = Digraph()
    seen = set()

    def described(tensor):
        name = names.get(tensor._h)
        return f"{name}\n {_size(tensor)}" if name else _size(tensor)

    def label_of(node):
        name = type(node).__name__
        if not show_attrs:
            return name
        slots = [f"{slot}: {_size(value)}"[:max_attr_chars] for slot, value in _saved(node)]
        return "\n".join([name, *slots])

    def visit(node):
        key = f"n{node._id}"
        if node._id in seen:
            return key
        seen.add(node._id)
        kept.append(node)
        dot.node(key, label_of(node), fillcolor="#d3d3d3")
        if show_saved:
            for i, (slot, value) in enumerate(_saved(node)):
                dot.node(f"{key}_{i}", described(value), fillcolor="orange")
                dot.edge(f"{key}_{i}", key, label=slot)
        if hasattr(node, "variable"):
            leaf = f"t{node._id}"
            dot.node(leaf, described(node.variable), fillcolor="lightblue")
            dot.edge(leaf, key)
        for inner, _ in node.next_functions:
            if inner is not None:
                waiting.append((inner, key))
        return key

    kept = []  # numbers of nodes are theirs only while somebody holds them
    waiting = []
    for tensor in var if isinstance(var, (tuple, list)) else (var,):
        result = f"r{tensor._h}"
        dot.node(result, described(tensor), fillcolor="darkolivegreen1")
        if tensor.grad_fn is not None:
            waiting.append((tensor.grad_fn, result))
        while waiting:
            node, outer = waiting.pop()
            dot.edge(visit(node), outer)
    dot.graph_attr["size"] = f"{max(12, len(dot.body) * 0.15)}"
    return dot


def _saved(node):
    """What a node keeps, by the names of its formula."""
    for name in _C._js.nodeSlots(node._id).split(","):
        if name:
            value = getattr(node, f"_saved_{name}")
            for i, tensor in enumerate(value if isinstance(value, tuple) else (value,)):
                if tensor is not None:
                    yield (f"{name}[{i}]" if isinstance(value, tuple) else name), tensor
