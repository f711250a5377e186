"""Lengths of resampled and of read sound: soxr 1.1 and soundfile 0.14 with a file of WAV."""

import io
import struct

import numpy as np
import soundfile
import soxr

for length, rates in ((16000, (16000, 8000)), (44101, (44100, 16000)), (22050, (22050, 16000)), (999, (16000, 44100))):
    print(soxr.resample(np.zeros(length, "float32"), *rates).shape, soxr.resample(np.zeros((length, 2)), *rates).dtype)
frames, channels, rate = 1234, 2, 16000
size = frames * channels * 2
header = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + size, b"WAVE", b"fmt ", 16, 1, channels, rate, rate * 4, 4, 16, b"data", size)
with open("sound.wav", "wb") as file:
    file.write(header + bytes(size))
data, found = soundfile.read("sound.wav", dtype="float32")
print(data.shape, data.dtype, found, soundfile.read("sound.wav", frames=100, start=1200)[0].shape)
with soundfile.SoundFile("sound.wav") as opened:
    print(len(opened), opened.samplerate, opened.channels, opened.read(1000).shape, opened.tell(), opened.read().shape)
print(soundfile.info("sound.wav").duration, [b.shape for b in soundfile.blocks("sound.wav", blocksize=1000)])
print(soundfile.read(io.BytesIO(header + bytes(size)))[0].dtype)
