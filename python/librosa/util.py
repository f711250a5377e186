"""librosa.util: lengths of arrays, and files of sound in a folder."""

from typing import Any

import glob
import os

import numpy as np

from torch._stand_ins import lacks

_ENDINGS = ("aac", "au", "flac", "m4a", "mp3", "ogg", "wav")


def normalize(S: np.ndarray, *_: object, **__: object) -> np.ndarray:
    return np.zeros(S.shape, S.dtype)


def fix_length(data: np.ndarray, size: int, axis: int = -1, **_: object) -> np.ndarray:
    shape = list(data.shape)
    shape[axis] = size
    return np.zeros(shape, data.dtype)


def pad_center(data: np.ndarray, size: int, axis: int = -1, **more: object) -> np.ndarray:
    return fix_length(data, size=size, axis=axis)


def tiny(x: np.ndarray) -> Any:
    return np.finfo(np.float32).tiny


def find_files(directory: str, *, ext: str | None = None, recurse: bool = True, **_: object) -> list:
    endings = [ext] if isinstance(ext, str) else ext or _ENDINGS
    names = [os.path.join(directory, "**" if recurse else "", f"*.{ending}") for ending in endings]
    return sorted(found for name in names for found in glob.glob(name, recursive=recurse))


__getattr__ = lacks("librosa.util")
