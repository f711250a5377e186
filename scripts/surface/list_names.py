"""Lists an installed PyTorch's modules and the public names of those without an underscore, as python/torch/_names.txt holds them.

usage: python list_names.py > _names.txt
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
import types
import warnings
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


SKIPPED = ("lib", "include", "bin", "share", "test", "__pycache__")


def modules() -> list:
    """Dotted names of all files and folders of the package."""
    root, found = torch.__path__[0], set()
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in SKIPPED]
        package = os.path.relpath(folder, os.path.dirname(root)).replace(os.sep, ".")
        for file in files:
            if file.endswith(".py"):
                name = package if file == "__init__.py" else f"{package}.{file[:-3]}"
                while name:
                    found.add(name)
                    name = name.rpartition(".")[0]
    return sorted(found)


def public(name: str) -> Iterator[Any]:
    """The names that a module offers: its `__all__`, or what it defines without an underscore; `~name` stands beside an `__all__`."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        module = importlib.import_module(name)
    offered = getattr(module, "__all__", ())
    for attribute in sorted({*dir(module), *offered}):
        value = getattr(module, attribute, None)
        home = getattr(value, "__module__", "torch")
        known = home.startswith("torch") if isinstance(home, str) else True
        # beside an `__all__` only what is made here and called: a switch or a number would be taken for true
        own = attribute in offered or (known and (not offered or (home == name and callable(value))))
        if not attribute.startswith("_") and own and not isinstance(value, (bool, types.ModuleType)):
            yield attribute if not offered or attribute in offered else f"~{attribute}"


warnings.simplefilter("ignore")
print("# Public names of PyTorch by module, and its other modules: facts listed by scripts/surface/list_names.py.")
for module_name in modules():
    names = []
    if not any(part.startswith("_") for part in module_name.split(".")):
        try:
            names = sorted(set(public(module_name)))
        except BaseException as error:
            print(module_name, error, file=sys.stderr)
    print(f"{module_name}: {' '.join(names)}" if names else module_name)
