"""torch.special: the rows that have a name there, and those whose own name begins with `special_`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C

if TYPE_CHECKING:
    from typing import Any


_NAMES = {name: op["name"] for op in _C.TABLE for name in op.get("special", ())}


def __getattr__(name: str) -> Any:
    op = _NAMES.get(name, "special_" + name)
    if hasattr(type(_C.ops), op):
        return getattr(_C.ops, op)
    raise AttributeError(f"vramscope has no row for torch.special.{name}")
