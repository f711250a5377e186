"""PIL.ImageDraw: nothing is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import note

from ._still import Quiet

if TYPE_CHECKING:
    from typing import Any


class ImageDraw(Quiet):
    def textbbox(self, xy: tuple[float, float], text: str, *_: Any, **__: Any) -> tuple[float, float, float, float]:
        return (xy[0], xy[1], xy[0] + 6 * len(text), xy[1] + 11)

    def textlength(self, text: str, *_: Any, **__: Any) -> float:
        return 6 * len(text)

    def textsize(self, text: str, *_: Any, **__: Any) -> tuple:
        return (6 * len(text), 11)


def Draw(im: Any, mode: str | None = None) -> ImageDraw:
    note("drawing_skipped", "library", "PIL.ImageDraw")
    return ImageDraw()
