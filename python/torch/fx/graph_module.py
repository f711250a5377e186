"""torch.fx.graph_module: a module whose forward is what its graph says."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import torch
from torch.nn import Module

from .graph import Graph

if TYPE_CHECKING:
    from typing import Any, Self

    from torch.fx._codegen import PythonCode


_numbers = itertools.count()


def _copy_attribute(source, target, path):
    *folders, last = path.split(".")
    for name in folders:
        source = getattr(source, name)
        if not hasattr(target, name):
            target.add_module(name, Module())
        target = getattr(target, name)
    value = getattr(source, last)
    if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
        target.register_buffer(last, value)
    else:
        setattr(target, last, value)


class GraphModule(Module):
    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        # each has a class of its own, because each has another forward
        own = cls.__bases__[0] if cls.__qualname__ == "GraphModuleImpl" else cls
        return super().__new__(type("GraphModuleImpl", (own,), {}))

    def __init__(self, root: torch.nn.Module | dict[str, Any], graph: Graph, class_name: str = "GraphModule") -> None:
        super().__init__()
        type(self).__name__ = class_name
        targets = [n.target for n in graph.nodes if n.op in ("get_attr", "call_module")]
        if isinstance(root, Module):
            self.training = getattr(root, "training", False)
            for target in dict.fromkeys(targets):
                _copy_attribute(root, self, target)
        else:
            for target in sorted(set(targets), key=lambda t: t.count(".")):
                if target not in root:
                    raise RuntimeError(f"Node referenced target {target} but that target was not provided in `root`!")
                *folders, last = target.split(".")
                at = self
                for name in folders:
                    if not hasattr(at, name):
                        at.add_module(name, Module())
                    at = getattr(at, name)
                setattr(at, last, root[target])
        self.meta = dict(getattr(root, "meta", {}) or {})
        self.graph = graph

    @property
    def graph(self) -> Graph | None:
        return self._graph

    @graph.setter
    def graph(self, graph: Graph) -> None:
        if not isinstance(graph, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(graph)}")
        if graph.owning_module is not None and graph.owning_module is not self:
            copied = graph.__deepcopy__()
            copied._codegen = graph._codegen
            graph = copied
        object.__setattr__(self, "_graph", graph)
        graph.owning_module = self
        self.recompile()

    @property
    def code(self) -> str:
        return self._code

    def recompile(self) -> PythonCode:
        """Makes forward from the graph; names that generated code does not read again die there."""
        made = self._graph.python_code("self")
        object.__setattr__(self, "_code", made.src)
        found = dict(made.globals)
        exec(compile(made.src, f"<eval_with_key>.{next(_numbers)}", "exec"), found)
        type(self).forward = found["forward"]
        return made

    def print_readable(self, print_output: bool = True, **_: Any) -> str:
        text = f"class {type(self).__name__}(torch.nn.Module):\n" + self._code.strip("\n")
        if print_output:
            print(text)
        return text

    def add_submodule(self, target: str, m: torch.nn.Module) -> bool:
        *folders, last = target.split(".")
        at = self
        for name in folders:
            if not hasattr(at, name):
                setattr(at, name, Module())
            at = getattr(at, name)
            if not isinstance(at, Module):
                return False
        at.add_module(last, m)
        return True

    def delete_submodule(self, target: str) -> bool:
        *folders, last = target.split(".")
        at = self
        for name in folders:
            at = getattr(at, name, None)
        if not isinstance(getattr(at, last, None), Module):
            return False
        delattr(at, last)
        return True

    def delete_all_unused_submodules(self) -> None:
        used = set()
        for node in self.graph.nodes:
            if node.op in ("call_module", "get_attr"):
                parts = node.target.split(".")
                used.update(".".join(parts[: i + 1]) for i in range(len(parts)))
                if node.op == "call_module":
                    below = self.get_submodule(node.target)
                    used.update(f"{node.target}.{name}" for name, _ in below.named_modules() if name)
        for name in [name for name, _ in self.named_modules() if name and name not in used]:
            self.delete_submodule(name)

    def __deepcopy__(self, memo: dict) -> GraphModule:
        import copy

        holder = Module()
        vars(holder).update(
            {k: copy.deepcopy(v, memo) for k, v in vars(self).items() if k not in ("_graph", "_code", "meta")}
        )
        made = GraphModule(holder, self._graph.__deepcopy__(), type(self).__name__)
        made.meta = dict(self.meta)
        return made

    def __copy__(self) -> GraphModule:
        return GraphModule(self, self.graph, type(self).__name__)

    def __reduce__(self) -> tuple[Any, ...]:
        raise NotImplementedError("vramscope does not pickle a torch.fx.GraphModule; save its state_dict")

    def __str__(self) -> str:
        return (
            f"{super().__str__()}\n{self._code}\n# To see more debug info, please use `graph_module.print_readable()`"
        )
