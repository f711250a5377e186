"""torchvision.io: images by their headers, as placeholders on the host."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks, note

from ._headers import image_size

if TYPE_CHECKING:
    from torch import Tensor


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


def read_file(path: str) -> Tensor:
    with open(path, "rb") as file:
        data = file.read()
    return torch.empty(len(data), dtype=torch.uint8)


def write_file(filename: str, data: Tensor) -> None:
    with open(filename, "wb"):
        note("drawing_skipped", "library", "torchvision.io.write_file")


def read_image(
    path: str, mode: ImageReadMode = ImageReadMode.UNCHANGED, apply_exif_orientation: bool = False
) -> Tensor:
    """uint8 [channels, height, width]."""
    with open(path, "rb") as file:
        return _placeholder(file.read(1 << 16), mode)


decode_image_file = read_image


def decode_image(
    input: Tensor | str, mode: ImageReadMode = ImageReadMode.UNCHANGED, apply_exif_orientation: bool = False
) -> Tensor:
    if isinstance(input, str):
        return read_image(input, mode)
    raise RuntimeError("vramscope: bytes of images have no values in a tensor; decode_image takes a path")


decode_jpeg = decode_png = decode_image


def encode_jpeg(input: Tensor | list[Tensor], quality: int = 75) -> Tensor | list[Tensor]:
    return torch.empty(input.numel() // 8, dtype=torch.uint8)


encode_png = encode_jpeg


def write_jpeg(input: Tensor, filename: str, quality: int = 75) -> None:
    write_file(filename, input)


write_png = write_jpeg
