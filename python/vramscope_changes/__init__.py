"""Changes to a program, one module each, that the host asks for to measure what they would save.

A module has `apply()`, which puts something else in the place of a function or class before the program runs, or
`rewrite(tree, lines)`, which changes the program's syntax tree; lines keep their numbers.
"""

from __future__ import annotations

import ast
import importlib
from typing import TYPE_CHECKING

import vramscope_loops

if TYPE_CHECKING:
    from typing import Any


def put_in_place(changes: Any) -> None:
    """`changes`: [[name, lines of the script that it is about]]."""
    for name, _ in changes:
        apply = getattr(_module(name), "apply", None)
        if apply is not None:
            apply()


def code_of(source: str, path: str, changes: Any) -> Any:
    """The program's code, changed."""
    tree = None
    for name, lines in changes:
        rewrite = getattr(_module(name), "rewrite", None)
        if rewrite is not None:
            tree = rewrite(tree or ast.parse(source, path), set(lines))
    return vramscope_loops.compile_program(source, path, tree and ast.fix_missing_locations(tree))


def _module(name):
    return importlib.import_module(f"{__name__}.{name}")
