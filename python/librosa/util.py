"""librosa.util: lengths of arrays, and files of sound in a folder."""

import glob
import os

import numpy as np

from torch._stand_ins import lacks

_ENDINGS = ("aac", "au", "flac", "m4a", "mp3", "ogg", "wav")


def normalize(S, *_, **__):
    return np.zeros(S.shape, S.dtype)


def fix_length(data, *, size, axis=-1, **_):
    shape = list(data.shape)
    shape[axis] = size
    return np.zeros(shape, data.dtype)


def pad_center(data, *, size, axis=-1, **more):
    return fix_length(data, size=size, axis=axis)


def tiny(x):
    return np.finfo(np.float32).tiny


def find_files(directory, *, ext=None, recurse=True, **_):
    endings = [ext] if isinstance(ext, str) else ext or _ENDINGS
    names = [os.path.join(directory, "**" if recurse else "", f"*.{ending}") for ending in endings]
    return sorted(found for name in names for found in glob.glob(name, recursive=recurse))


__getattr__ = lacks("librosa.util")
