"""librosa.effects: sound that keeps its length."""

import numpy as np

from torch._stand_ins import lacks


def trim(y, *_, **__):
    return y, np.array([0, y.shape[-1]])


def preemphasis(y, *_, **__):
    return y.copy()


def pitch_shift(y, *_, **__):
    return y.copy()


def time_stretch(y, *, rate, **_):
    return np.zeros((*y.shape[:-1], round(y.shape[-1] / rate)), y.dtype)


__getattr__ = lacks("librosa.effects")
