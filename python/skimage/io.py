"""skimage.io: pictures as arrays of their files' sizes; nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any

__getattr__ = lacks("skimage.io")


def imread(fname: Any, as_gray: bool = False, *_: object, **__: object) -> np.ndarray:
    from PIL import Image

    picture = np.array(Image.open(fname))
    return np.zeros(picture.shape[:2], np.float64) if as_gray else picture


def imsave(*_: object, **__: object) -> None:
    """Nothing is written."""


imshow = show = imsave


def imread_collection(load_pattern: Any, *_: object, **__: object) -> list:
    import glob

    names = sorted(glob.glob(load_pattern)) if isinstance(load_pattern, str) else load_pattern
    return [imread(name) for name in names]
