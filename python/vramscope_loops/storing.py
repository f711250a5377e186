"""Buffers that every pass puts something into, and whose own counters say when they are full: the last pass finds them one short of it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType
    from typing import Any


_STORES = ("add", "push", "put", "store", "insert", "append", "remember", "record")


class Stored:
    """The objects that a loop's body names before `.add(` and the like, and how their counters grow."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        texts = {ast.unparse(node.func.value) for node in nodes if _is_store(node)}
        self._codes = {text: compile(text, "<vramscope>", "eval") for text in sorted(texts)}

    def counters(self, frame: FrameType) -> dict[str, tuple[Any, dict[str, int]]]:
        """The objects as they are now: text -> (object, its whole numbers by name)."""
        found = {}
        for text, code in self._codes.items():
            try:
                value = eval(code, frame.f_globals, frame.f_locals)
                numbers = {name: n for name, n in vars(value).items() if type(n) is int}
            except Exception:
                continue
            found[text] = (value, numbers)
        return found

    @staticmethod
    def moves(before: dict, now: dict, passes: int, missing: int) -> list[tuple[Any, str, int]]:
        """(object, name, value) of counters that grew alike in each of `passes` passes, `missing` passes later.

        None moves where one would go over another number of its object, such as its size: what happens there only the buffer
        knows.
        """
        moves = []
        for text, (value, numbers) in now.items():
            old, earlier = before.get(text, (None, {}))
            for name, number in numbers.items() if old is value else ():
                each, rest = divmod(number - earlier.get(name, number), passes)
                if rest or each <= 0:
                    continue
                last = number + each * missing
                if any(number < bound <= last for other, bound in numbers.items() if other != name):
                    return []
                moves.append((value, name, last))
        return moves


def _is_store(node):
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _STORES):
        return False
    owner = node.func.value
    while isinstance(owner, ast.Attribute):
        owner = owner.value
    return isinstance(owner, ast.Name)
