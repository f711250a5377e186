"""On the lines that are asked for, a sum takes the value of what it adds, without its graph."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def rewrite(tree: Any, lines: Sequence[str]) -> Any:
    for node in ast.walk(tree):
        if getattr(node, "lineno", None) not in lines:
            continue
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            node.value = _detached(node.value)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Add):
            node.value = _detached(node.value)
    return tree


def _detached(value):
    call = ast.Call(ast.Attribute(value, "detach", ast.Load()), [], [])
    ast.copy_location(call.func, value)
    return ast.copy_location(call, value)
