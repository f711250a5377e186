"""librosa.filters: matrices by their shapes."""

from typing import Any

import math

import numpy as np

from torch._stand_ins import lacks


def mel(
    sr: int,
    n_fft: int,
    n_mels: int = 128,
    fmin: float = 0.0,
    fmax: float | None = None,
    dtype: Any = np.float32,
    **_: object,
) -> np.ndarray:
    return np.zeros((int(n_mels), 1 + n_fft // 2), dtype)


def mels(frequency: float) -> Any:
    """Slaney's scale."""
    return 15 + math.log(frequency / 1000) * 27 / math.log(6.4) if frequency >= 1000 else 3 * frequency / 200


def get_window(window: str, Nx: int, fftbins: bool = True) -> np.ndarray:
    from scipy.signal import get_window

    return get_window(window, Nx, fftbins)


__getattr__ = lacks("librosa.filters")
