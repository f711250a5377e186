"""torchvision.io: images by their headers, as placeholders on the host."""

from enum import Enum

import torch
from torch._stand_ins import lacks, note

from ._headers import image_size

__getattr__ = lacks("torchvision.io")


class ImageReadMode(Enum):
    UNCHANGED, GRAY, GRAY_ALPHA, RGB, RGB_ALPHA = range(5)


_CHANNELS = {ImageReadMode.GRAY: 1, ImageReadMode.GRAY_ALPHA: 2, ImageReadMode.RGB: 3, ImageReadMode.RGB_ALPHA: 4}


def _placeholder(data, mode):
    found = image_size(data)
    if found is None:
        raise RuntimeError("vramscope reads sizes of PNG, JPEG, GIF, BMP and WebP files only")
    channels, height, width = found
    note("placeholder_data", "library", "torchvision.io")
    return torch.empty((_CHANNELS.get(mode, channels), height, width), dtype=torch.uint8)


def read_file(path):
    with open(path, "rb") as file:
        data = file.read()
    return torch.empty(len(data), dtype=torch.uint8)


def write_file(filename, data):
    with open(filename, "wb"):
        note("drawing_skipped", "library", "torchvision.io.write_file")


def read_image(path, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """uint8 [channels, height, width]."""
    with open(path, "rb") as file:
        return _placeholder(file.read(1 << 16), mode)


decode_image_file = read_image


def decode_image(input, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    if isinstance(input, str):
        return read_image(input, mode)
    raise RuntimeError("vramscope: bytes of images have no values in a tensor; decode_image takes a path")


decode_jpeg = decode_png = decode_image


def encode_jpeg(input, quality=75):
    return torch.empty(input.numel() // 8, dtype=torch.uint8)


encode_png = encode_jpeg


def write_jpeg(input, filename, quality=75):
    write_file(filename, input)


write_png = write_jpeg
