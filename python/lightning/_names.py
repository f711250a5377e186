"""Modules of the package that are parts of others here, so that they are found by both names."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def also(module: Any, *names: Any) -> None:
    """`module` is found as each of these, too."""
    for name in names:
        sys.modules[name] = module
        parent, _, last = name.rpartition(".")
        if parent in sys.modules and last not in vars(sys.modules[parent]):
            setattr(sys.modules[parent], last, module)


def mirror(package: str, name: str) -> None:
    """Everything imported below `package` is found below `name`, too."""
    for own, module in list(sys.modules.items()):
        if own == package or own.startswith(f"{package}."):
            sys.modules[name + own[len(package) :]] = module
