"""Texts of word vectors that are not there: a word and its numbers a line, where the function that opens one takes them apart so."""

from __future__ import annotations

import ast
import functools
import os
import re

from . import readers

_SIDES = re.compile(r"(\d{2,4})d(?![a-z0-9])", re.IGNORECASE)
_USUAL = 300
_WORDS = 4_000
_MAKES = ("array", "asarray", "fromiter", "float", "map", "tensor", "FloatTensor", "Tensor", "list")


def of(path: str) -> tuple[bytes, str] | None:
    """(bytes, words) of the text; its name may say how many numbers a word has."""
    frame = readers.asker()
    try:
        if frame is None or not _takes_vectors(readers.text_of(frame), frame.f_lineno):
            return None
    except (SyntaxError, ValueError):
        return None
    said = _SIDES.search(os.path.basename(path))
    size = int(said[1]) if said else _USUAL
    numbers = " ".join(["0.1"] * size)
    return "".join(f"word{i} {numbers}\n" for i in range(_WORDS)).encode(), f"{_WORDS:,} words with {size} numbers each"


@functools.cache
def _takes_vectors(text, line):
    """Whether the function around a line makes numbers of all parts of a split line but the first, or of its last ones."""
    tree = ast.parse(text)
    around = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.lineno <= line <= n.end_lineno]
    nodes = list(ast.walk(max(around, key=lambda node: node.lineno) if around else tree))
    splits = [n for n in nodes if isinstance(n, ast.Call) and getattr(n.func, "attr", None) == "split"]
    names = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and any(part in splits for part in ast.walk(node.value))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    rests = {id(n) for n in nodes if _is_rest(n, splits, names)}
    makers = [n for n in nodes if isinstance(n, ast.Call) and _called(n.func) in _MAKES and _counts(n)]
    makers += [n for n in nodes if isinstance(n, ast.ListComp) and _called(getattr(n.elt, "func", None)) == "float"]
    # `row[:] = parts[1:]` makes numbers of them, too
    makers += [n.value for n in nodes if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Subscript)]
    return any(id(part) in rests for maker in makers for part in ast.walk(maker))


def _counts(call):
    """Whether a call gives numbers: `map` and `list` do where `float` is what they call."""
    kinds = [part for part in ast.walk(call) if isinstance(part, (ast.Name, ast.Attribute))]
    return _called(call.func) not in ("map", "list") or any(_called(part) == "float" for part in kinds)


def _is_rest(node, splits, names):
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Slice) or node.slice.upper is not None:
        return False
    first = node.slice.lower
    if isinstance(first, ast.Constant):
        if first.value != 1:
            return False
    elif not (isinstance(first, ast.UnaryOp) and isinstance(first.op, ast.USub)):
        return False
    return node.value in splits or getattr(node.value, "id", None) in names


def _called(function):
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)
