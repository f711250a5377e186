"""Files of OpenCV: pictures by the headers of their files, films of a few frames; what is written is empty."""

from typing import Any

import builtins
import os

import numpy as np
from torch._stand_ins import note
from torchvision._headers import image_size

from . import _constants as k

_FRAMES, _FRAME, _RATE = 30, (480, 640), 25.0


def _picture(found, flags):
    channels, height, width = found
    note("placeholder_data", "library", "cv2")
    channels = 1 if flags == k.IMREAD_GRAYSCALE else channels if flags < 0 else 3
    return np.zeros((height, width) if channels == 1 else (height, width, channels), "uint8")


def imread(filename: str, flags: int = k.IMREAD_COLOR) -> Any:
    """None for what is no picture, as in OpenCV."""
    try:
        with builtins.open(filename, "rb") as file:
            found = image_size(file.read(1 << 16))
    except OSError:
        return None
    return None if found is None else _picture(found, flags)


def imdecode(buf: Any, flags: int) -> Any:
    found = image_size(bytes(memoryview(buf)) if isinstance(buf, (bytes, bytearray)) else buf.tobytes())
    return None if found is None else _picture(found, flags)


def imwrite(filename: str, img: np.ndarray, params: Any = None) -> bool:
    note("drawing_skipped", "library", "cv2.imwrite")
    folder = os.path.dirname(os.fspath(filename))
    if folder and not os.path.isdir(folder):
        return False
    from vramscope_data import pictures

    pictures.write(filename, *img.shape[:2], img.shape[2] if img.ndim > 2 else 1)
    return True


def imencode(ext: str, img: np.ndarray, params: Any = None) -> tuple:
    return True, np.zeros(img.size // 10 + 1, "uint8")


class VideoCapture:
    """A film: some frames without content; a camera is not there."""

    def __init__(self, source: Any = None, *_: object) -> None:
        self._left = _FRAMES if isinstance(source, str) else 0
        if self._left:
            note("placeholder_data", "library", "cv2")

    def isOpened(self) -> bool:
        return self._left > 0

    grab = isOpened

    def read(self, image: np.ndarray | None = None) -> tuple:
        if not self._left:
            return False, None
        self._left -= 1
        return True, np.zeros((*_FRAME, 3), "uint8")

    retrieve = read

    def get(self, propId: int) -> float:
        known = {k.CAP_PROP_FRAME_WIDTH: _FRAME[1], k.CAP_PROP_FRAME_HEIGHT: _FRAME[0], k.CAP_PROP_FPS: _RATE}
        known[k.CAP_PROP_FRAME_COUNT] = _FRAMES
        return float(known.get(propId, 0))

    def set(self, propId: int, value: float) -> bool:
        return True

    def release(self) -> None:
        self._left = 0


class VideoWriter:
    """Writes nothing."""

    def __init__(self, *_: object, **__: object) -> None:
        note("drawing_skipped", "library", "cv2.VideoWriter")

    def write(self, image: np.ndarray) -> None:
        """Nothing is kept."""

    isOpened = lambda self: True
    release = lambda self: None

    @staticmethod
    def fourcc(c1: str, c2: str, c3: str, c4: str) -> int:
        return VideoWriter_fourcc(c1, c2, c3, c4)


def VideoWriter_fourcc(c1: str, c2: str, c3: str, c4: str) -> int:
    return sum(ord(c) << 8 * i for i, c in enumerate((c1, c2, c3, c4)))


__all__ = [
    name
    for name in vars()
    if not name.startswith("_") and name not in ("np", "k", "os", "builtins", "note", "Any", "image_size")
]
