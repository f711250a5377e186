"""Compiles the modules that are ours. Their annotations are for those who read and check them: the interpreter keeps none."""

from __future__ import annotations

import ast
import contextlib
import importlib.machinery
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def compile_module(text: str, path: str) -> Any:
    """The code of a module, whose functions have no annotations, as compiled functions of PyTorch have none."""
    tree = ast.parse(text, path)
    _strip(tree)
    return compile(tree, path, "exec", dont_inherit=True)


def _strip(node):
    for statement in ast.iter_child_nodes(node):
        if not isinstance(statement, (ast.stmt, ast.excepthandler, ast.match_case)):
            continue
        if isinstance(statement, _FUNCTIONS):
            statement.returns = None
            a = statement.args
            for argument in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg):
                if argument is not None:
                    argument.annotation = None
        _strip(statement)


@contextlib.contextmanager
def compiling() -> Iterator:
    """While it lasts, modules that are imported from their source are compiled so."""
    loader = importlib.machinery.SourceFileLoader
    loader.source_to_code = lambda self, data, path, **_: compile_module(data, path)
    try:
        yield
    finally:
        del loader.source_to_code
