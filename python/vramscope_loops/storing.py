"""Objects whose numbers every pass raises: counters, and buffers that say when they are full, with the lists that these keep; behind
the loop they are as they would be."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .filling import KEPT, MOST, lengthen

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from types import FrameType
    from typing import Any


_STORES = ("add", "push", "put", "store", "insert", "append", "remember", "record")


class Stored:
    """The objects that a loop's body names before `.add(` and the like, or whose attributes it counts, and how their numbers grow."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        nodes = list(nodes)
        self._counted = {}  # text of an object -> its attributes before `+=`
        for node in nodes:
            if isinstance(node, ast.AugAssign) and _is_attribute(node.target):
                self._counted.setdefault(ast.unparse(node.target.value), set()).add(node.target.attr)
        stores = stored_in(nodes, _STORES)
        self._codes = {text: compile(text, "<vramscope>", "eval") for text in sorted(stores | set(self._counted))}
        self._stores = stores

    def numbers(self, frame: FrameType) -> dict[str, tuple[Any, dict[str, int]]]:
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

    def lists(self, frame: FrameType) -> dict[tuple[str, str], tuple[Any, int]]:
        """The lists that objects to be stored in keep: (text, name) -> (list, its length)."""
        found = {}
        for text in sorted(self._stores):
            try:
                kept = vars(eval(self._codes[text], frame.f_globals, frame.f_locals))
            except Exception:
                continue
            found |= {(text, name): (value, len(value)) for name, value in kept.items() if isinstance(value, KEPT)}
        return found

    def fill(self, before: dict, now: dict, passes: int, missing: int) -> None:
        """Makes lists that grew alike in each of `passes` passes as long as they are `missing` passes later."""
        for where, (value, length) in now.items():
            old, earlier = before.get(where, (None, length))
            each, rest = divmod(length - earlier, passes)
            # one that the loop's body fills by its own name is as long already
            if old is value and len(value) == length and not rest and each > 0:
                lengthen(value, each, min(missing, MOST // each))

    def moves(self, before: dict, now: dict, passes: int, missing: int) -> tuple[list, list]:
        """(object, name, value) of numbers that grew alike in each of `passes` passes, `missing` passes later: counted ones, a buffer's.

        A buffer's go no further where one would go over another number of it, such as its size: what happens there only the
        buffer knows. What the body counts itself has no such bound.
        """
        counted, stored = [], []
        for text, (value, numbers) in now.items():
            old, earlier = before.get(text, (None, {}))
            own = self._counted.get(text, ())
            for name, number in numbers.items() if old is value else ():
                each, rest = divmod(number - earlier.get(name, number), passes)
                if rest or each <= 0 or not (name in own or text in self._stores):
                    continue
                (counted if name in own else stored).append((value, name, number + each * missing))
                if name not in own and any(
                    number < bound <= stored[-1][2] for other, bound in numbers.items() if other != name
                ):
                    return counted, []
        return counted, stored


def _is_attribute(target):
    return isinstance(target, ast.Attribute) and _is_named(target.value)


def _is_named(owner):
    while isinstance(owner, ast.Attribute):
        owner = owner.value
    return isinstance(owner, ast.Name)


def stored_in(nodes: Iterable[ast.AST], methods: Collection[str]) -> set[str]:
    """The objects, as text, of which one of these methods is called."""
    return {
        ast.unparse(node.func.value)
        for node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in methods
        and _is_named(node.func.value)
    }
