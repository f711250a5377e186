"""PIL.ImageSequence: one frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def Iterator(im: Any) -> Iterator:
    return iter([im])


def all_frames(im: Any, func: Callable | None = None) -> list:
    return [func(im) if func else im]
