"""soundfile: samples by the header of a file of WAV, else of some seconds; no content, and nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self

__version__ = "0.13.1"
__libsndfile_version__ = "1.2.2"
__getattr__ = lacks("soundfile")
_RATE, _SECONDS = 16_000, 4


class SoundFileError(Exception):
    """What soundfile raises."""


LibsndfileError = SoundFileRuntimeError = SoundFileError


def _measures(file: Any) -> tuple[int, int, int]:
    """Rate, frames and channels."""
    from scipy.io import wavfile

    return wavfile.measures(file) or (_RATE, _RATE * _SECONDS, 1)


def read(
    file: Any,
    frames: int = -1,
    start: int = 0,
    stop: int | None = None,
    dtype: str = "float64",
    always_2d: bool = False,
    **_: Any,
) -> tuple[np.ndarray, int]:
    """(samples, rate): samples by channels where there are several or `always_2d`."""
    note("placeholder_data", "library", "soundfile")
    rate, count, channels = _measures(file)
    count = len(range(*slice(start, stop).indices(count)))
    count = count if frames < 0 else min(frames, count)
    return np.zeros((count, channels) if channels > 1 or always_2d else (count,), dtype), rate


def write(file: Any, data: Any, samplerate: int, *_: Any, **__: Any) -> None:
    note("drawing_skipped", "library", "soundfile.write")


class SoundFile:
    """A file that is read piece by piece."""

    def __init__(
        self, file: Any, mode: str = "r", samplerate: int | None = None, channels: int | None = None, *_: Any, **__: Any
    ) -> None:
        self.name, self.mode, self._at = file, mode, 0
        is_read = "r" in mode
        self.samplerate, self.frames, self.channels = _measures(file) if is_read else (samplerate, 0, channels)
        self.format, self.subtype, self.closed = "WAV", "PCM_16", False

    def __len__(self) -> int:
        return self.frames

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        self.closed = True

    def seek(self, frames: int, whence: int = 0) -> int:
        self._at = frames if whence == 0 else self._at + frames if whence == 1 else self.frames + frames
        return self._at

    def tell(self) -> int:
        return self._at

    def read(self, frames: int = -1, dtype: str = "float64", always_2d: bool = False, **_: Any) -> np.ndarray:
        left = max(0, self.frames - self._at)
        count = left if frames < 0 else min(frames, left)
        self._at += count
        return np.zeros((count, self.channels) if self.channels > 1 or always_2d else (count,), dtype)

    def write(self, data: Any) -> None:
        note("drawing_skipped", "library", "soundfile.write")


def blocks(file: Any, blocksize: int = 1024, overlap: int = 0, *_: Any, **settings: Any) -> Iterator[np.ndarray]:
    samples, _rate = read(file, **settings)
    for start in range(0, len(samples), blocksize - overlap):
        yield samples[start : start + blocksize]


class _Info:
    """What a file says of itself."""

    def __init__(self, file: Any) -> None:
        self.name = file
        self.samplerate, self.frames, self.channels = _measures(file)
        self.duration, self.format, self.subtype = self.frames / self.samplerate, "WAV", "PCM_16"


def info(file: Any, verbose: bool = False) -> _Info:
    return _Info(file)


def available_formats() -> dict[str, str]:
    return {"WAV": "WAV (Microsoft)", "FLAC": "FLAC (Free Lossless Audio Codec)", "OGG": "OGG (OGG Container format)"}
