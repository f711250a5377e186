"""ffmpeg as programs ask it for the samples of a sound: silence, as long as the file says."""

from __future__ import annotations

import os

_BYTES = {"u8": 1, "s16le": 2, "s32le": 4, "f32le": 4, "f64le": 8}
_USUAL = (16_000, 16_000 * 5, 1)  # rate, frames and channels
_PIPES = ("-", "pipe:", "pipe:1")


def samples(words: list[str]) -> tuple[int, bytes] | None:
    """(status, samples) of a command that writes bare samples into its output, or None."""
    asked = {name: value for name, value in zip(words, words[1:], strict=False) if name in ("-i", "-f", "-ac", "-ar")}
    size, path = _BYTES.get(asked.get("-f", "")), asked.get("-i", "-")
    if size is None or path in _PIPES or words[-1] not in _PIPES:
        return None
    from scipy.io import wavfile
    from torch._stand_ins import note

    if os.path.exists(path):
        note("placeholder_data", "library", "ffmpeg")
        rate, count, channels = wavfile.measures(path) or _USUAL
    else:
        # programs go on without a file that ffmpeg does not find, and then it is the work itself that never runs
        rate, count, channels = _USUAL
        note("placeholder_file", "file", f"{path} ({count // rate} seconds of silence)")
    frames = count * int(asked.get("-ar", rate)) // rate
    return 0, bytes(frames * int(asked.get("-ac", channels)) * size)
