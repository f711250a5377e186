"""Prints what installed packages offer, as JSON: for each public module its names, for each class its members, for each function its parameters.

usage: python package_names.py PACKAGE...
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import json
import pkgutil
import sys
import types
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

PASSED_OVER = ("tests", "test", "testing", "conftest", "setup")


def modules(package: types.ModuleType) -> Iterator[types.ModuleType]:
    """A package and the modules below it that have no underscore and are no tests; those that do not import are left out."""
    yield package
    for found in pkgutil.iter_modules(getattr(package, "__path__", []), package.__name__ + "."):
        last = found.name.rpartition(".")[2]
        if last.startswith("_") or last in PASSED_OVER:
            continue
        try:
            below = importlib.import_module(found.name)
        except BaseException:
            continue
        yield from modules(below)


def parameters(value: Any) -> list[str] | None:
    """The names by which something can be called; None where nobody knows them."""
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    return [p.name for p in found if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and not p.name.startswith("_")]


def offered(owner: Any) -> dict[str, Any]:
    """The public names of a module or class, each with what it is: its parameters, its members where it is a class, or neither."""
    known = {}
    listed = getattr(owner, "__all__", None) if isinstance(owner, types.ModuleType) else None
    for name in sorted({*dir(owner), *(listed or ())}):
        if name.startswith("_") and name not in (listed or ()):
            continue
        value = getattr(owner, name, None)
        if isinstance(value, types.ModuleType) or type(value).__name__ == "_Feature":
            continue
        home = str(getattr(value, "__module__", "") or "")
        if isinstance(owner, types.ModuleType) and home and home.partition(".")[0] != owner.__name__.partition(".")[0]:
            continue  # what a module imports from elsewhere
        made = getattr(value, "fget", value)
        known[name] = {
            "parameters": parameters(value) if callable(value) else None,
            "home": getattr(made, "__qualname__", None),
        }
        if isinstance(value, type) and isinstance(owner, types.ModuleType):
            known[name]["members"] = offered(value)
    return known


def main() -> None:
    warnings.simplefilter("ignore")
    found = {}
    for package in sys.argv[1:]:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            for module in modules(importlib.import_module(package)):
                found[module.__name__] = offered(module)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
