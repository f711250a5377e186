"""librosa.effects: sound that keeps its length."""

import numpy as np

from torch._stand_ins import lacks


def trim(y: np.ndarray, *_: object, **__: object) -> tuple:
    return y, np.array([0, y.shape[-1]])


def preemphasis(y: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return y.copy()


def pitch_shift(y: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return y.copy()


def time_stretch(y: np.ndarray, rate: int, **_: object) -> np.ndarray:
    return np.zeros((*y.shape[:-1], round(y.shape[-1] / rate)), y.dtype)


__getattr__ = lacks("librosa.effects")
