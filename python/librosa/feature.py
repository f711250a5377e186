"""librosa.feature: spectra by their shapes."""

import numpy as np

from torch._stand_ins import lacks

from ._shapes import spectrum


def melspectrogram(*, y=None, sr=22050, S=None, n_fft=2048, hop_length=512, center=True, n_mels=128, **_):
    if y is None:
        return np.zeros((*S.shape[:-2], n_mels, S.shape[-1]), S.dtype)
    return spectrum(y, n_mels, n_fft, hop_length, center, np.float32)


def mfcc(*, y=None, sr=22050, S=None, n_mfcc=20, n_fft=2048, hop_length=512, center=True, **_):
    return melspectrogram(y=y, S=S, n_fft=n_fft, hop_length=hop_length, center=center, n_mels=n_mfcc)


def rms(*, y, frame_length=2048, hop_length=512, center=True, **_):
    return spectrum(y, 1, frame_length, hop_length, center, np.float32)


def chroma_stft(*, y, n_fft=2048, hop_length=512, center=True, n_chroma=12, **_):
    return spectrum(y, n_chroma, n_fft, hop_length, center, np.float32)


__getattr__ = lacks("librosa.feature")
