"""imageio: pictures are arrays of their files' sizes, without content; nothing is written, and films have no frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any, Self

__version__ = "2.37.2"
_lacks = lacks("imageio")


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


def __getattr__(name: str) -> Any:
    if name in ("v2", "v3"):
        import importlib

        return importlib.import_module(f"imageio.{name}")
    return _lacks(name)
