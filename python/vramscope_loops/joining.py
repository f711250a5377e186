"""Tensors that every pass of a loop makes longer by what it computed, `found = torch.cat((found, one))`: behind a loop that is left they are as long."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from .storing import stored_in

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType
    from typing import Any

_STORES = ("add", "add_batch", "append", "extend", "push", "put", "record", "store", "update")
_JOINS = re.compile("cat|concat|stack")


class Joined:
    """The names that a loop's body joins something to, and the objects to which it adds, with their attributes."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        nodes = list(nodes)
        self._stores = {text: compile(text, "<vramscope>", "eval") for text in sorted(stored_in(nodes, _STORES))}
        self._names = {node.targets[0].id for node in nodes if _is_joined(node)}

    def rows(self, frame: FrameType) -> dict[tuple[str, str], list[int]]:
        """Rows of the tensors that are kept now: (object, name) -> those of each tensor in there."""
        found = {}
        for where, (holder, name) in self._places(frame).items():
            rows = [len(tensor) for tensor in _tensors(holder.get(name))]
            if rows:
                found[where] = rows
        return found

    def fill(self, frame: FrameType, before: dict, now: dict, passes: int, missing: int, most: int) -> list[str]:
        """Makes tensors that grew alike in each of `passes` passes as long as `missing` more make them, `most` rows if that is known."""
        filled = []
        for where, (holder, name) in self._places(frame).items():
            rows, earlier = now.get(where, []), before.get(where, [])
            steps = [divmod(a - b, passes) for a, b in zip(rows, earlier)]
            if not rows or len(rows) != len(earlier) or any(rest or each <= 0 for each, rest in steps):
                continue
            wanted = [a + each * missing for a, (each, _) in zip(rows, steps)]
            if most >= 0:  # the last batch may be smaller
                wanted = [most if most < n < most + each else n for n, (each, _) in zip(wanted, steps)]
            sizes = iter(wanted)
            holder[name] = _lengthened(holder[name], sizes)
            filled.append(".".join(part for part in where if part))
        return filled

    def _places(self, frame):
        """Where tensors may lie: (object, name) -> (the dictionary that has it, its name there)."""
        found = {}
        for name in sorted(self._names):
            names = frame.f_locals if name in frame.f_locals else frame.f_globals
            found["", name] = (names, name)
        for text, code in self._stores.items():
            try:
                kept = vars(eval(code, frame.f_globals, frame.f_locals))
            except Exception:
                continue
            found |= {(text, name): (kept, name) for name in kept}
        return found


def _tensors(value):
    """The tensors of nested tuples, lists and dictionaries; none where anything else is among them."""
    import torch

    if isinstance(value, torch.Tensor):
        return [value] if value.dim() > 0 and not value.requires_grad else []
    parts = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(parts, (tuple, list)) or len(parts) > 64:
        return []
    found = [_tensors(part) for part in parts]
    return sum(found, []) if all(found) else []


def _lengthened(value, sizes):
    """As the last pass would make it: what was there is kept while the longer one is made."""
    import torch

    if isinstance(value, torch.Tensor):
        return torch.cat((value, value.new_empty((next(sizes) - len(value), *value.shape[1:]))))
    if isinstance(value, dict):
        return type(value)({name: _lengthened(part, sizes) for name, part in value.items()})
    return type(value)([_lengthened(part, sizes) for part in value])


def _is_joined(node):
    """`found = torch.cat((found, one))`, behind a condition, too."""
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
        return False
    target = node.targets[0].id
    return any(
        isinstance(part, ast.Call)
        and _JOINS.search(ast.unparse(part.func))
        and any(isinstance(one, ast.Name) and one.id == target for given in part.args for one in ast.walk(given))
        for part in ast.walk(node.value)
    )
