"""torch.fft: transforms that the op table has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _C

if TYPE_CHECKING:
    from typing import Any


def __getattr__(name: str) -> Any:
    if hasattr(type(_C.ops), "fft_" + name):
        return getattr(_C.ops, "fft_" + name)
    raise AttributeError(f"vramscope has no row for torch.fft.{name}")
