"""The Python that a graph becomes: one statement for each node, and names that nobody reads again are set to None."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import TYPE_CHECKING

from .node import Node, _qualified_name

if TYPE_CHECKING:
    from typing import Any


_INFIX = {
    "add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "floordiv": "{} // {}", "truediv": "{} / {}", "mod": "{} % {}",
    "lt": "{} < {}", "gt": "{} > {}", "le": "{} <= {}", "ge": "{} >= {}", "eq": "{} == {}", "ne": "{} != {}",
    "getitem": "{}[{}]", "pow": "{} ** {}", "lshift": "{} << {}", "rshift": "{} >> {}", "and_": "{} & {}", "or_": "{} | {}",
    "xor": "{} ^ {}", "matmul": "{} @ {}", "neg": "-{}", "pos": "+{}", "invert": "~{}",
    "iadd": "{} += {}", "isub": "{} -= {}", "imul": "{} *= {}", "itruediv": "{} /= {}", "imatmul": "{} @= {}",
    "ifloordiv": "{} //= {}", "imod": "{} %= {}", "ipow": "{} **= {}", "ilshift": "{} <<= {}", "irshift": "{} >>= {}",
    "iand": "{} &= {}", "ior": "{} |= {}", "ixor": "{} ^= {}",
}  # fmt: skip


@dataclasses.dataclass
class PythonCode:
    src: str
    globals: dict


def _attribute_path(parts):
    text = parts[0]
    for part in parts[1:]:
        text = f"{text}.{part}" if part.isidentifier() else f'getattr({text}, "{part}")'
    return text


class CodeGen:
    def code_of(self, graph: Any, root: str) -> PythonCode:
        import torch

        found = {"torch": torch, "inf": math.inf, "nan": math.nan, "NoneType": type(None), "device": torch.device}
        nodes = list(graph.nodes)
        dying = self._last_uses(nodes)
        inputs, lines = [], []
        for node in nodes:
            line = self._statement(node, root, found, inputs)
            if line:
                lines.append(line + self._forget(node, dying))
        body = "\n".join(f"    {line}" for line in lines) or "    pass"
        return PythonCode(f"\n\n\ndef forward({', '.join([root, *inputs])}):\n{body}\n    ", found)

    @staticmethod
    def _last_uses(nodes):
        """Of each node, those that it is the last to read, in the order in which it reads them."""
        seen, dying = {}, {}
        for node in reversed(nodes):
            for read in node.all_input_nodes:
                if read not in seen:
                    seen[read] = node
                    dying.setdefault(node, []).append(read)
        return dying

    @staticmethod
    def _forget(node, dying):
        if node.op in ("placeholder", "output"):
            return ""
        names = [n.name for n in dying.get(node, ())]
        if not node.users:
            names.append(node.name)
        return f";  {' = '.join(names)} = None" if names else ""

    def _statement(self, node, root, found, inputs):
        say = lambda value: self._argument(value, found)
        arguments = lambda: ", ".join([*map(say, node.args), *(f"{k} = {say(v)}" for k, v in node.kwargs.items())])
        if node.op == "placeholder":
            default = f" = {say(node.args[0])}" if node.args else ""
            stars = re.match(r"\**", node.target).group(0)
            inputs.append(f"{node.target}{default}" if stars else f"{node.name}{default}")
            return f"{node.name} = {node.target.lstrip('*')}" if stars and node.name != node.target.lstrip("*") else ""
        if node.op == "output":
            return f"return {say(node.args[0])}"
        if node.op == "get_attr":
            return f"{node.name} = {_attribute_path([root, *node.target.split('.')])}"
        if node.op == "call_module":
            return f"{node.name} = {_attribute_path([root, *node.target.split('.')])}({arguments()})"
        if node.op == "call_method":
            rest = ", ".join([*map(say, node.args[1:]), *(f"{k} = {say(v)}" for k, v in node.kwargs.items())])
            return f"{node.name} = {say(node.args[0])}.{node.target}({rest})"
        target = node.target
        form = _INFIX.get(target.__name__) if getattr(target, "__module__", "") == "_operator" else None
        if form:
            text = form.format(*map(say, node.args))
            changes = target.__name__[0] == "i" and form.endswith("= {}")
            return f"{text};  {node.name} = {say(node.args[0])}" if changes else f"{node.name} = {text}"
        if target is getattr and isinstance(node.args[1], str) and node.args[1].isidentifier() and len(node.args) == 2:
            return f"{node.name} = {say(node.args[0])}.{node.args[1]}"
        return f"{node.name} = {self._global(target, found)}({arguments()})"

    def _global(self, target, found):
        """The name of a function in generated code; modules that are not torch's are put among its globals."""
        name = _qualified_name(target)
        if name.startswith("torch.") or "." not in name:
            return name
        flat = name.replace(".", "_").replace("<", "_").replace(">", "_")
        while found.setdefault(flat, target) is not target:
            flat += "_1"
        return flat

    def _argument(self, value, found):
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            name = self._global(type(value), found)
            return f"{name}({', '.join(self._argument(v, found) for v in value)})"
        if isinstance(value, tuple):
            return f"({', '.join(self._argument(v, found) for v in value)}{',' if len(value) == 1 else ''})"
        if isinstance(value, list):
            return f"[{', '.join(self._argument(v, found) for v in value)}]"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{k!r}: {self._argument(v, found)}" for k, v in value.items()) + "}"
        if isinstance(value, slice):
            return f"slice({', '.join(self._argument(v, found) for v in (value.start, value.stop, value.step))})"
        if isinstance(value, Node) or value is None or isinstance(value, (str, int, float, bool, complex)):
            return repr(value)
        if callable(value) and hasattr(value, "__name__"):
            return self._global(value, found)
        return repr(value)
