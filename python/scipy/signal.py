"""scipy.signal: windows and filters of one dimension with their values, others by their shapes."""

from typing import Any

import math
import types

import numpy as np
from torch._stand_ins import lacks

from ._shapes import same

filtfilt = sosfilt = sosfiltfilt = medfilt = medfilt2d = savgol_filter = detrend = wiener = hilbert = same
_TERMS = {
    "hann": (0.5, 0.5),
    "hanning": (0.5, 0.5),
    "hamming": (0.54, 0.46),
    "blackman": (0.42, 0.5, 0.08),
    "boxcar": (1.0,),
}
_SIZES = {"full": lambda a, b: a + b - 1, "same": lambda a, b: a, "valid": lambda a, b: abs(a - b) + 1}


def get_window(window: str, Nx: int, fftbins: bool = True) -> np.ndarray:
    """Sums of cosines; a window of another kind has ones."""
    terms = _TERMS.get(window if isinstance(window, str) else window[0], (1.0,))
    period = max(Nx if fftbins else Nx - 1, 1)
    angles = [2 * math.pi * n / period for n in range(Nx)]
    return np.array([sum((-1) ** i * term * math.cos(i * x) for i, term in enumerate(terms)) for x in angles])


def _named(name):
    return lambda M, sym=True: get_window(name, M, not sym)


hann, hamming, blackman, boxcar = map(_named, ("hann", "hamming", "blackman", "boxcar"))


def lfilter(b: Any, a: Any, x: np.ndarray, axis: int = -1, zi: Any = None) -> np.ndarray:
    """By the recurrence, for one dimension."""
    array = np.asarray(x)
    if array.ndim != 1 or array._values is None:
        return np.zeros(array.shape, "float64")
    b, a, values, found = list(b), list(a), array.tolist(), []
    for n in range(len(values)):
        total = sum(b[i] * values[n - i] for i in range(len(b)) if n >= i)
        total -= sum(a[i] * found[n - i] for i in range(1, len(a)) if n >= i)
        found.append(total / a[0])
    return np.array(found, "float64")


def convolve(in1: np.ndarray, in2: np.ndarray, mode: str = "full", method: str = "auto") -> np.ndarray:
    size = _SIZES[mode]
    return np.zeros([size(a, b) for a, b in zip(np.shape(in1), np.shape(in2))], np.asarray(in1).dtype)


def convolve2d(in1: np.ndarray, in2: np.ndarray, mode: str = "full", *_: object, **__: object) -> np.ndarray:
    return convolve(in1, in2, mode)


fftconvolve = correlate = correlate2d = convolve


def resample(x: np.ndarray, num: int, t: Any = None, axis: int = 0, *_: object, **__: object) -> np.ndarray:
    shape = list(np.shape(x))
    shape[axis] = num
    return np.zeros(shape, "float64")


def resample_poly(x: np.ndarray, up: Any, down: Any, axis: int = 0, *_: object, **__: object) -> np.ndarray:
    return resample(x, -(-np.shape(x)[axis] * up // down), axis=axis)


def butter(N: int, Wn: Any, btype: str = "low", analog: bool = False, output: str = "ba", fs: Any = None) -> Any:
    """Coefficients without values."""
    order = N * (2 if "band" in btype else 1)
    return np.zeros((-(-order // 2), 6)) if output == "sos" else (np.zeros(order + 1), np.zeros(order + 1))


def firwin(numtaps: int, cutoff: float, *_: object, **__: object) -> np.ndarray:
    return np.zeros(int(numtaps))


def kaiser_atten(numtaps: int, width: float) -> float:
    return 2.285 * (numtaps - 1) * math.pi * width + 7.95


def kaiser_beta(a: float) -> float:
    if a > 50:
        return 0.1102 * (a - 8.7)
    return 0.5842 * (a - 21) ** 0.4 + 0.07886 * (a - 21) if a > 21 else 0.0


windows = types.SimpleNamespace(hann=hann, hamming=hamming, blackman=blackman, boxcar=boxcar, get_window=get_window)
__getattr__ = lacks("scipy.signal")
