"""What a program saves as a picture: a file of its size without content, so that who opens it again has a picture of that size."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from . import contents
from .specs import Spec

if TYPE_CHECKING:
    from typing import Any

_KINDS = {1: 0, 2: 4, 3: 2, 4: 6}  # numbers of a pixel -> what PNG calls them


def write(file: Any, height: int, width: int, channels: int = 3) -> None:
    """Puts the picture into a file, by its path or open."""
    data = contents.png(Spec("uint8", (channels, height, width)), _KINDS.get(channels, 2))[0]
    if hasattr(file, "write"):
        file.write(data)
        return
    with builtins.open(file, "wb") as opened:
        opened.write(data)
