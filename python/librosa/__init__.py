"""librosa: sound as arrays of the right length and spectra of the right shape, without content."""

from typing import Any

import numpy as np

from torch._stand_ins import lacks, note

from . import effects, feature, filters, util
from ._shapes import frames, spectrum

__version__ = "0.11.0"
_SECONDS = 10.0


def load(
    path: str,
    sr: int = 22050,
    mono: bool = True,
    offset: float = 0.0,
    duration: float | None = None,
    dtype: Any = np.float32,
    res_type: str = "soxr_hq",
) -> tuple:
    """(samples, rate): of a file of WAV by its header, else of some seconds."""
    rate, count, channels = _of_file(path)
    sr = sr or rate
    seconds = max(0.0, count / rate - offset)
    seconds = seconds if duration is None else min(duration, seconds)
    note("placeholder_data", "library", "librosa")
    samples = int(round(seconds * sr))
    return np.zeros((samples,) if mono or channels == 1 else (channels, samples), dtype), sr


def _of_file(path):
    from scipy.io import wavfile

    return wavfile.measures(path) or (22050, int(22050 * _SECONDS), 1)


def stft(
    y: np.ndarray,
    n_fft: int = 2048,
    hop_length: int | None = None,
    win_length: int | None = None,
    center: bool = True,
    **_: object,
) -> np.ndarray:
    return spectrum(y, 1 + n_fft // 2, n_fft, hop_length or (win_length or n_fft) // 4, center, np.complex64)


def istft(
    stft_matrix: np.ndarray,
    hop_length: int | None = None,
    win_length: int | None = None,
    n_fft: int | None = None,
    length: int | None = None,
    **_: object,
) -> np.ndarray:
    n_fft = n_fft or 2 * (stft_matrix.shape[-2] - 1)
    hop = hop_length or (win_length or n_fft) // 4
    return np.zeros((*stft_matrix.shape[:-2], length or hop * (stft_matrix.shape[-1] - 1)), np.float32)


def griffinlim(S: np.ndarray, hop_length: int | None = None, **more: object) -> np.ndarray:
    return istft(S, hop_length=hop_length, length=more.get("length"))


def magphase(D: np.ndarray, power: float = 1) -> tuple:
    return np.zeros(D.shape, np.float32), np.zeros(D.shape, D.dtype)


def resample(y: np.ndarray, orig_sr: int, target_sr: int, axis: int = -1, **_: object) -> np.ndarray:
    shape = list(y.shape)
    shape[axis] = -(-shape[axis] * target_sr // orig_sr)
    return np.zeros(shape, y.dtype)


def _same(S, *_, **__):
    return np.zeros(np.shape(S), np.asarray(S).dtype)


power_to_db = amplitude_to_db = db_to_power = db_to_amplitude = to_mono = _same


def get_duration(
    y: np.ndarray | None = None, sr: int = 22050, path: str | None = None, filename: str | None = None, **_: object
) -> Any:
    if y is None:
        rate, count, _ = _of_file(path or filename)
        return count / rate
    return y.shape[-1] / sr


def hz_to_mel(frequencies: Any, htk: bool = False) -> Any:
    return filters.mels(frequencies)


def fft_frequencies(sr: int = 22050, n_fft: int = 2048) -> np.ndarray:
    return np.linspace(0, sr / 2, 1 + n_fft // 2)


def pyin(
    y: np.ndarray,
    fmin: float,
    fmax: float,
    sr: int = 22050,
    frame_length: int = 2048,
    hop_length: int | None = None,
    **_: object,
) -> tuple:
    count = frames(y, frame_length, hop_length or frame_length // 4, True)
    return np.zeros(count), np.zeros(count, "bool"), np.zeros(count)


__getattr__ = lacks("librosa")
