"""What the program's own project says that it cannot be without: who runs it has installed that, at least."""

from __future__ import annotations

import ast
import functools
import os
import re
from typing import TYPE_CHECKING

from vramscope_project import folders_above

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


def names() -> frozenset[str]:
    """The packages that files beside the script and above it require, extras left out, with underscores and in small letters."""
    found = set()
    for folder in folders_above():
        for file, reader in _READERS.items():
            try:
                seen = os.stat(f"{folder}/{file}")
            except OSError:
                continue
            found |= _named(f"{folder}/{file}", reader, seen.st_mtime, seen.st_size)
    return frozenset(found)


@functools.cache
def _named(path: str, reader: Callable, _changed: float, _bytes: int) -> frozenset[str]:
    """Packages ask for many versions: one state of a file is read once."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = reader(file.read())
    except (OSError, ValueError, SyntaxError):
        # a file that says nothing that can be read requires nothing
        return frozenset()
    starts = (re.match(r"\s*([A-Za-z0-9][\w.-]*)", line) for line in lines)
    return frozenset(start[1].replace("-", "_").lower() for start in starts if start is not None)


def _of_setup(text: str) -> Iterable[str]:
    """The texts in `install_requires` of a setup.py, given there or as a variable, and in the variables that it is made of."""
    tree = ast.parse(text)
    variables = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    waiting = [n.value for n in ast.walk(tree) if isinstance(n, ast.keyword) and n.arg == "install_requires"]
    seen = set()
    while waiting:
        value = waiting.pop()
        # of `deps["numpy"]` the key is the name, and the table has more than what is required
        tables = {n.value.id for n in ast.walk(value) if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name)}
        for node in ast.walk(value):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
            elif isinstance(node, ast.Name) and node.id in variables and node.id not in tables | seen:
                seen.add(node.id)
                waiting.append(variables[node.id])


def _of_pyproject(text: str) -> Iterable[str]:
    # few programs ask, and a frozen interpreter would keep it
    import tomllib

    said: Any = tomllib.loads(text)
    return [
        *said.get("project", {}).get("dependencies", ()),
        *said.get("tool", {}).get("poetry", {}).get("dependencies", ()),
    ]


def _of_list(text: str) -> Iterable[str]:
    return text.splitlines()


_READERS = {"setup.py": _of_setup, "pyproject.toml": _of_pyproject, "requirements.txt": _of_list}
