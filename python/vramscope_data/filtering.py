"""The ending by which a program chooses among the names of a folder that it lists: `[f for f in os.listdir(d) if f.endswith(".tif")]`."""

from __future__ import annotations

import ast
import functools

from . import contents, readers


def ending() -> str | None:
    """Of the statement of the program that lists, where it chooses by a kind that a placeholder can be of."""
    frame = readers.asker()
    if frame is None:
        return None
    try:
        asked = _endings(readers.text_of(frame)).get(frame.f_lineno, ())
    except (SyntaxError, ValueError):
        return None
    return next((one for one in asked if one.lower() in contents.IMAGES or contents.has_kind(one)), None)


@functools.cache
def _endings(text):
    """{line of a listing that is gone through: the endings that the way through asks for}."""
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.For):
            ways = [(node.iter, node.body)]
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            ways = [(part.iter, part.ifs) for part in node.generators]
        else:
            continue
        for listed, body in ways:
            for line in range(listed.lineno, listed.end_lineno + 1):
                found.setdefault(line, []).extend(name for part in body for name in _asked(part))
    return found


def _asked(body):
    for node in ast.walk(body):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "endswith":
            yield from _texts(node.args)
        elif isinstance(node, ast.Compare) and any("splitext" in ast.unparse(part) for part in (node.left,)):
            yield from _texts(node.comparators)


def _texts(nodes):
    """Endings written out among expressions, with the dot that some leave out."""
    for node in nodes:
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.strip("."):
                yield f".{part.value.lstrip('.')}"
