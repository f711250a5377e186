"""How many frames a sound has."""

import numpy as np


def frames(y, length, hop, center):
    count = y.shape[-1]
    return 1 + count // hop if center else 1 + (count - length) // hop


def spectrum(y, bins, length, hop, center, dtype):
    return np.zeros((*y.shape[:-1], bins, frames(y, length, hop, center)), dtype)
