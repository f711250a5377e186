"""torchao: its optimizer on the host; the package itself wins where it is installed, and what else it has is refused by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import optim

if TYPE_CHECKING:
    from typing import NoReturn


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(f"vramscope's stand-in for torchao does not have '{name}'")
