"""librosa.filters: matrices by their shapes."""

import math

import numpy as np

from torch._stand_ins import lacks


def mel(*, sr, n_fft, n_mels=128, fmin=0.0, fmax=None, dtype=np.float32, **_):
    return np.zeros((int(n_mels), 1 + n_fft // 2), dtype)


def mels(frequency):
    """Slaney's scale."""
    return 15 + math.log(frequency / 1000) * 27 / math.log(6.4) if frequency >= 1000 else 3 * frequency / 200


def get_window(window, Nx, *, fftbins=True):
    from scipy.signal import get_window

    return get_window(window, Nx, fftbins)


__getattr__ = lacks("librosa.filters")
