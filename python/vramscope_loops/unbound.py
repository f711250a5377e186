"""Names that a loop binds in passes which have not come yet, and that the function takes behind the loop: without them it would end in an error."""

from __future__ import annotations

import ast
import dis
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType


_ACCESS = re.compile("(LOAD|STORE)_(?:FAST|NAME|GLOBAL)")


class Bound:
    """The names that a loop's body binds, and where."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self._lines = {}
        self._end = 0
        for node in nodes:
            self._end = max(self._end, getattr(node, "end_lineno", None) or 0)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._lines.setdefault(node.id, set()).add(node.lineno)

    def waits(self, frame: FrameType, unrun: Iterable[int]) -> bool:
        """Whether a name that only lines which never ran bind is taken behind the loop, and is nothing yet."""
        left_out = set(unrun)
        names = {
            name
            for name, lines in self._lines.items()
            if lines <= left_out and name not in frame.f_locals and name not in frame.f_globals
        }
        return bool(names) and self._takes(frame.f_code, names)

    def _takes(self, code, names):
        """Whether what stands behind the loop takes one of the names before it binds it itself."""
        names = set(names)
        for step in dis.get_instructions(code):
            if (step.positions.lineno or 0) <= self._end:
                continue
            # one instruction may do two of these
            kinds = _ACCESS.findall(step.opname)
            for kind, name in zip(kinds, step.argval if isinstance(step.argval, tuple) else (step.argval,)):
                if kind == "LOAD" and name in names:
                    return True
                names.discard(name)
        return False
