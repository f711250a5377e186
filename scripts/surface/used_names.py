"""Dotted names that Python files use of given packages, read from their syntax trees; nothing of a file is run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def _bindings(tree, packages):
    """Local names that stand for a package or something of it, and the dotted names that import statements mention."""
    bound, used = {}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] in packages:
                    used.add(alias.name)
                    if alias.asname:
                        bound[alias.asname] = alias.name
                    else:
                        top = alias.name.partition(".")[0]
                        bound[top] = top
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            if node.module.partition(".")[0] in packages:
                used.add(node.module)
                for alias in node.names:
                    if alias.name != "*":
                        name = f"{node.module}.{alias.name}"
                        used.add(name)
                        bound[alias.asname or alias.name] = name
    return bound, used


def used_names(text: str, packages: Any) -> Any:
    """All dotted names of `packages` in one file's text; an empty set where it does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    bound, used = _bindings(tree, packages)

    def dotted(node):
        if isinstance(node, ast.Name):
            return bound.get(node.id)
        if isinstance(node, ast.Attribute):
            base = dotted(node.value)
            return base and f"{base}.{node.attr}"
        return None

    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            name = dotted(node)
            if name:
                used.add(name)
    return used
