"""How a mark is written into a syntax tree, and where none is worth it."""

from __future__ import annotations

import ast

_FEW = 10


def call(place: ast.AST, name: str, *arguments: ast.AST) -> ast.Call:
    """A call of what `begin` puts among the builtins, where `place` is."""
    function = ast.copy_location(ast.Name(name, ast.Load()), place)
    return ast.copy_location(ast.Call(function, list(arguments), []), place)


def is_short(items: ast.AST) -> bool:
    """Few items, as the text says itself."""
    if isinstance(items, (ast.Tuple, ast.List, ast.Set)):
        return len(items.elts) <= _FEW and not any(isinstance(item, ast.Starred) for item in items.elts)
    is_range = isinstance(items, ast.Call) and isinstance(items.func, ast.Name) and items.func.id == "range"
    if not is_range or len(items.args) != 1 or not isinstance(items.args[0], ast.Constant):
        return False
    return isinstance(items.args[0].value, int) and items.args[0].value <= _FEW
