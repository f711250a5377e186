"""How many frames a sound has."""

from typing import Any

import numpy as np


def frames(y: np.ndarray, length: int, hop: int, center: Any) -> Any:
    count = y.shape[-1]
    return 1 + count // hop if center else 1 + (count - length) // hop


def spectrum(y: np.ndarray, bins: int, length: int, hop: int, center: Any, dtype: Any) -> np.ndarray:
    return np.zeros((*y.shape[:-1], bins, frames(y, length, hop, center)), dtype)
