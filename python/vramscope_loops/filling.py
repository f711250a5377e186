"""Lists that every pass of a loop makes longer: passes that are left out leave as many items, so that steps behind the loop find them."""

from __future__ import annotations

import ast
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


_FILLS = ("append", "extend", "insert", "appendleft")
MOST = 2_000_000
KEPT = (list, deque)


def lengthen(value: Any, each: int, passes: int) -> None:
    """Puts the last items in again, as often as passes are left out."""
    last = [value[i - each] for i in range(each)]
    for _ in range(passes):
        value.extend(last)


class Filled:
    """The lists that a loop's body names before `.append(` and the like, or adds a list to, and how they grow."""

    def __init__(self, fills: Any) -> None:
        named = {ast.unparse(_target(fill)): fill for fill in fills if _is_name(_target(fill))}
        texts = set(named)
        self._anew = {text for text, fill in named.items() if isinstance(fill, ast.Assign)}
        self._codes = {text: compile(text, "<vramscope>", "eval") for text in sorted(texts)}
        owners = {text: text.rpartition(".")[0] for text in self._codes if "." in text}
        self._owners = {text: (owner, compile(owner, "<vramscope>", "eval")) for text, owner in owners.items()}
        self.said = False

    def lengths(self, frame: int) -> dict:
        """The lists as they are now: text -> (list, its length); those that are not there yet are left out.

        Lists beside one in its object are among them, whoever fills those: records of one thing are kept side by side.
        """
        found = {}
        for text, code in self._codes.items():
            value = _value(code, frame)
            if isinstance(value, KEPT):
                found[text] = (value, len(value))
                owner, owned = self._owners.get(text, (None, None))
                beside = getattr(_value(owned, frame), "__dict__", {}) if owned is not None else {}
                found |= {f"{owner}.{name}": (v, len(v)) for name, v in beside.items() if isinstance(v, KEPT)}
        return found

    def fill(self, before: Any, now: dict, passes: Any, missing: Any) -> dict:
        """Repeats the last items of lists that grew alike in each of `passes` passes; how many items each of those got."""
        added = {}
        for text, (value, length) in now.items():
            old, old_length = before.get(text, (None, 0))
            each, rest = divmod(length - old_length, passes)
            if (old is value or text in self._anew) and not rest and 0 < each <= length and each * missing <= MOST:
                lengthen(value, each, missing)
                added[text] = each * missing
        return added


def moved(lists: dict, added: dict) -> dict:
    """Lengths as they would have been with the items that were added since."""
    return {text: (value, length + added.get(text, 0)) for text, (value, length) in lists.items()}


def _value(code, frame):
    try:
        return eval(code, frame.f_globals, frame.f_locals)
    except Exception:
        return None


def fills_in(nodes: Any) -> list:
    """What may make a list longer: `x.append(y)`, `x += [y]`, and `x = [y] + x`, which makes it anew."""
    return [node for node in nodes if _calls(node) or _adds(node) or _makes(node)]


def _calls(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _FILLS


def _adds(node):
    return isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and isinstance(node.value, ast.List)


def _makes(node):
    if (
        not isinstance(node, ast.Assign)
        or not isinstance(node.value, ast.BinOp)
        or not isinstance(node.value.op, ast.Add)
    ):
        return False
    sides, target = (node.value.left, node.value.right), ast.unparse(node.targets[0])
    return any(isinstance(side, ast.List) for side in sides) and any(ast.unparse(side) == target for side in sides)


def _target(fill):
    return (
        fill.func.value
        if isinstance(fill, ast.Call)
        else fill.target
        if isinstance(fill, ast.AugAssign)
        else fill.targets[0]
    )


def _is_name(node):
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, (ast.Constant, ast.Name)):
            return False
        node = node.value
    return isinstance(node, ast.Name)
