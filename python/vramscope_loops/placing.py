"""Lists of which every pass of a loop fills the next place, `states[t + 1] = state`: passes that are left out fill theirs with the last item."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType
    from typing import Any

_MOST = 4096  # places of a list that is looked through


class Place(NamedTuple):
    """A list between two passes."""

    value: list
    items: list  # what tells its items apart: they are not held
    last: int | None = None  # the place that was filled last
    step: int = 0  # where the next one lies from it, 0 while nobody knows


class Placed:
    """The lists that a loop's body names before `[...] =`, and where their next item goes."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        targets = [target for node in nodes if isinstance(node, ast.Assign) for target in node.targets]
        parts = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
        texts = {ast.unparse(part.value) for part in parts if _is_place(part)}
        self._codes = {text: compile(text, "<vramscope>", "eval") for text in sorted(texts)}

    def lists(self, frame: FrameType, earlier: dict[str, Place]) -> dict[str, Place]:
        """The lists as they are now; `earlier` is what this gave before."""
        found = {}
        for text, code in self._codes.items():
            try:
                value = eval(code, frame.f_globals, frame.f_locals)
            except Exception:
                continue
            if type(value) is list and len(value) <= _MOST:
                known = earlier.get(text)
                is_known = known is not None and known.value is value and len(known.items) == len(value)
                found[text] = _moved(known) if is_known else Place(value, list(map(id, value)))
        return found

    def holds(self, frame: FrameType) -> bool:
        """Whether any of them is a list."""
        return bool(self._codes) and bool(self.lists(frame, {}))


def fill(lists: dict[str, Place], passes: int) -> list[str]:
    """Puts the last item into the places of so many more passes; the names of the lists that got some."""
    filled = []
    for text, (value, _, last, step) in lists.items():
        if last is None or step == 0 or last >= len(value):
            continue
        end = min(last + step * passes, len(value) - 1) if step > 0 else max(last + step * passes, 0)
        for at in range(last + step, end + step, step):
            value[at] = value[last]
        if end != last:
            filled.append(text)
    return filled


def _is_place(node):
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, (ast.Constant, ast.Slice, ast.Tuple)):
        return False
    value = node.value
    while isinstance(value, ast.Attribute):
        value = value.value
    return isinstance(value, ast.Name)


def _moved(known):
    """What a list is after a pass that put something into the place beside the last one."""
    value, items = known.value, known.items
    changed = [at for at, item in enumerate(items) if id(value[at]) != item]
    if len(changed) != 1:
        return Place(value, list(map(id, value)))
    (at,) = changed
    step = 0 if known.last is None else at - known.last
    items[at] = id(value[at])
    return Place(value, items, at, step if step in (1, -1) else 0)
