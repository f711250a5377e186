"""Options that are taken and change nothing here: the report names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import _C

if TYPE_CHECKING:
    from typing import Any


def ignored(callee: Any, **options: Any) -> None:
    """Says of each option that is not None that it is not modelled."""
    for name, value in options.items():
        if value is not None:
            _C._js.assume("option_ignored", _C.here(), "callee,option", f"{callee}\n{name}")
