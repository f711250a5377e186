"""librosa.feature: spectra by their shapes."""

import numpy as np

from torch._stand_ins import lacks

from ._shapes import spectrum


def melspectrogram(
    y: np.ndarray | None = None,
    sr: int = 22050,
    S: np.ndarray | None = None,
    n_fft: int = 2048,
    hop_length: int = 512,
    center: bool = True,
    n_mels: int = 128,
    **_: object,
) -> np.ndarray:
    if y is None:
        return np.zeros((*S.shape[:-2], n_mels, S.shape[-1]), S.dtype)
    return spectrum(y, n_mels, n_fft, hop_length, center, np.float32)


def mfcc(
    y: np.ndarray | None = None,
    sr: int = 22050,
    S: np.ndarray | None = None,
    n_mfcc: int = 20,
    n_fft: int = 2048,
    hop_length: int = 512,
    center: bool = True,
    **_: object,
) -> np.ndarray:
    return melspectrogram(y=y, S=S, n_fft=n_fft, hop_length=hop_length, center=center, n_mels=n_mfcc)


def rms(y: np.ndarray, frame_length: int = 2048, hop_length: int = 512, center: bool = True, **_: object) -> np.ndarray:
    return spectrum(y, 1, frame_length, hop_length, center, np.float32)


def chroma_stft(
    y: np.ndarray, n_fft: int = 2048, hop_length: int = 512, center: bool = True, n_chroma: int = 12, **_: object
) -> np.ndarray:
    return spectrum(y, n_chroma, n_fft, hop_length, center, np.float32)


__getattr__ = lacks("librosa.feature")
