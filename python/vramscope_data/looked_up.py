"""Columns of tables whose values a program looks up in a dictionary that it writes out: its keys are what such a column holds."""

from __future__ import annotations

import ast

_FUNCTIONS = (ast.FunctionDef, ast.Lambda)


def columns(text: str) -> dict[str, list[str]]:
    """`frame["kind"].map({"a": 0, "b": 1})`, or a dictionary by its name, or a function that looks its argument up in one."""
    nodes = list(ast.walk(ast.parse(text)))
    known = {}  # names of dictionaries, and of functions that look their argument up in one -> the keys
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            known[node.targets[0].id] = _keys(node.value)
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            known[node.name] = _of_function(node, known)
    found = {}
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        column = node.func.value
        if node.func.attr not in ("map", "apply") or not isinstance(column, ast.Subscript):
            continue
        by = node.args[0]
        keys = _of_function(by, known) if isinstance(by, _FUNCTIONS) else known.get(getattr(by, "id", "")) or _keys(by)
        if keys and isinstance(column.slice, ast.Constant) and isinstance(column.slice.value, str):
            found[column.slice.value] = keys
    return found


def _keys(node):
    if not isinstance(node, ast.Dict):
        return []
    keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
    return keys if len(keys) == len(node.keys) and all(isinstance(key, str) for key in keys) else []


def _of_function(node, known):
    """The keys by which a function of one argument looks that up, itself or through a function that does."""
    arguments = node.args.args
    if len(arguments) != 1:
        return []
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript):
            by, taken = part.value, part.slice
        elif isinstance(part, ast.Call) and len(part.args) == 1:
            by, taken = part.func, part.args[0]
        else:
            continue
        is_argument = isinstance(taken, ast.Name) and taken.id == arguments[0].arg
        if is_argument and isinstance(by, ast.Name) and known.get(by.id):
            return known[by.id]
    return []
