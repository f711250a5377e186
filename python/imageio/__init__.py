"""imageio: pictures are arrays of their files' sizes, without content; nothing is written, and films have no frames."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any, Self

__version__ = "2.37.2"


def imread(uri: Any, *_: object, **__: object) -> np.ndarray:
    from PIL import Image

    return np.array(Image.open(uri))


def imwrite(uri: Any, *_: object, **__: object) -> None:
    note("drawing_skipped", "library", "imageio.imwrite")


imsave = mimsave = mimwrite = volwrite = imwrite


class _Writer:
    """Takes frames and keeps none."""

    def append_data(self, *_: object, **__: object) -> None:
        note("drawing_skipped", "library", "imageio.get_writer")

    write_frame = close = append_data

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def get_writer(*_: object, **__: object) -> _Writer:
    return _Writer()


imopen = get_writer


def mimread(*_: object, **__: object) -> list:
    return []


# the newer addresses have the same functions
v2 = v3 = sys.modules[f"{__name__}.v2"] = sys.modules[f"{__name__}.v3"] = sys.modules[__name__]
__getattr__ = lacks("imageio")
