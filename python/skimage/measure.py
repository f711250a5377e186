"""skimage.measure: a picture without content has no parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import lacks

from .metrics import peak_signal_noise_ratio as compare_psnr, structural_similarity as compare_ssim

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__getattr__ = lacks("skimage.measure")


def label(label_image: np.ndarray, *_: object, return_num: bool = False, **__: object) -> Any:
    found = np.zeros(np.shape(label_image), "int32")
    return (found, 0) if return_num else found


def regionprops(*_: object, **__: object) -> list:
    return []


find_contours = regionprops


def block_reduce(
    image: np.ndarray, block_size: Any = 2, func: Callable | None = None, *_: object, **__: object
) -> np.ndarray:
    shape = np.shape(image)
    sizes = (block_size,) * len(shape) if isinstance(block_size, int) else block_size
    return np.zeros([-(-s // b) for s, b in zip(shape, sizes)], np.float64)
