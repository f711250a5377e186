"""Whether a saved file that nobody has holds an entry of a name: yes for weights where the program would end without."""

from __future__ import annotations

import ast
import linecache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

# names under which weights are saved, beside a plain dictionary of them
_WEIGHTS = ("model", "module", "state_dict", "model_state_dict", "model_state", "net", "network", "weights", "params")


def holds(key: object, frame: FrameType) -> bool:
    """`frame`: where `key in checkpoint` stands."""
    if key not in _WEIGHTS:
        return False
    text = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return any(
        _ends_without(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and node.test.lineno <= frame.f_lineno <= (node.test.end_lineno or node.test.lineno)
    )


def _ends_without(node: ast.If) -> bool:
    """Whether the last `else` of a chain of branches raises or leaves the program."""
    last = node.orelse
    while len(last) == 1 and isinstance(last[0], ast.If):
        last = last[0].orelse
    return any(
        isinstance(part, ast.Raise)
        or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Call) and "exit" in ast.unparse(part.value.func))
        for part in last
    )
