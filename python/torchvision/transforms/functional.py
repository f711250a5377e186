"""torchvision.transforms.functional: what each function does to sizes and dtypes; content is not computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

from .._image import Image, picture, shape_of, with_size
from . import InterpolationMode as InterpolationMode

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


__getattr__ = lacks("torchvision.transforms.functional")


def _pair(size):
    return (size, size) if isinstance(size, int) else (tuple(size) * 2)[:2]


def get_dimensions(img: Tensor) -> list[int]:
    return list(shape_of(img))


def get_image_size(img: Tensor) -> list[int]:
    _, height, width = shape_of(img)
    return [width, height]


def get_size(img: Any) -> list[int]:
    return list(shape_of(img)[1:])


def get_image_num_channels(img: Tensor) -> int:
    return shape_of(img)[0]


def to_tensor(pic: Any) -> Tensor:
    from . import ToTensor

    return ToTensor()(pic)


def pil_to_tensor(pic: Any) -> Tensor:
    return torch.empty(shape_of(pic), dtype=torch.uint8)


pil_to_tensor_image = to_image = to_image_tensor = lambda pic: (
    pic if isinstance(pic, torch.Tensor) else pil_to_tensor(pic)
)


def to_pil_image(pic: Any, mode: Any = None) -> Image:
    if hasattr(pic, "to_torch"):
        shape = pic.shape if pic.ndim == 3 else (*pic.shape, 1)
        return picture(shape[2], shape[0], shape[1])
    return picture(*shape_of(pic if pic.dim() > 2 else pic.unsqueeze(0)))


def to_dtype(inpt: Tensor, dtype: torch.dtype = torch.float32, scale: bool = False) -> Tensor:
    return inpt.to(dtype)


def convert_image_dtype(image: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    return image.to(dtype)


def normalize(tensor: Tensor, mean: list[float], std: list[float], inplace: bool = False) -> Tensor:
    """In float operators, as on tensors of the GPU (torchvision/transforms/_functional_tensor.py: normalize)."""
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"img should be Tensor Image. Got {type(tensor)}")
    if not inplace:
        tensor = tensor.clone()
    mean = torch.as_tensor(mean, dtype=tensor.dtype, device=tensor.device)
    std = torch.as_tensor(std, dtype=tensor.dtype, device=tensor.device)
    if mean.ndim == 1:
        mean = mean.view(-1, 1, 1)
    if std.ndim == 1:
        std = std.view(-1, 1, 1)
    return tensor.sub_(mean).div_(std)


def resize_size(height: Any, width: Any, size: Any, max_size: Any = None) -> tuple:
    """Height and width when the shorter side becomes `size`."""
    if not isinstance(size, int) and len(size) == 2:
        return tuple(size)
    size = size if isinstance(size, int) else size[0]
    short, long = min(height, width), max(height, width)
    new_short, new_long = size, int(size * long / short)
    if max_size is not None and new_long > max_size:
        new_short, new_long = int(max_size * new_short / new_long), max_size
    return (new_short, new_long) if height <= width else (new_long, new_short)


def resize(
    img: Tensor,
    size: list[int],
    interpolation: InterpolationMode = "bilinear",
    max_size: int | None = None,
    antialias: bool | None = True,
) -> Tensor:
    channels, height, width = shape_of(img)
    new = resize_size(height, width, size, max_size)
    if not isinstance(img, torch.Tensor) or tuple(new) == (height, width):
        return with_size(img, channels, *new)
    # the same operator as torchvision calls, so that its memory counts where the image is on the GPU
    mode = getattr(interpolation, "value", interpolation)
    batch = img if img.dim() == 4 else img.reshape(-1, channels, height, width)
    kind = batch.dtype
    wide = batch if kind.is_floating_point else batch.to(torch.float32)
    options = {} if mode in ("nearest", "nearest-exact") else {"align_corners": False, "antialias": bool(antialias)}
    found = torch.nn.functional.interpolate(wide, size=list(new), mode=mode, **options)
    return found.to(kind).reshape(*img.shape[:-3], channels, *new)


def crop(img: Tensor, top: int, left: int, height: int, width: int) -> Tensor:
    if isinstance(img, torch.Tensor):
        _, h, w = shape_of(img)
        if top >= 0 and left >= 0 and top + height <= h and left + width <= w:
            return img[..., top : top + height, left : left + width]
    return with_size(img, shape_of(img)[0], height, width)


def center_crop(img: Tensor, output_size: list[int]) -> Tensor:
    height, width = _pair(output_size)
    _, h, w = shape_of(img)
    return crop(img, int(round((h - height) / 2.0)), int(round((w - width) / 2.0)), height, width)


def resized_crop(
    img: Tensor,
    top: int,
    left: int,
    height: int,
    width: int,
    size: list[int],
    interpolation: InterpolationMode = "bilinear",
    antialias: bool | None = True,
) -> Tensor:
    return resize(crop(img, top, left, height, width), size, interpolation)


def pad(img: Tensor, padding: list[int], fill: int | float = 0, padding_mode: str = "constant") -> Tensor:
    left, top, right, bottom = (padding,) * 4 if isinstance(padding, int) else (tuple(padding) * 4)[:4]
    if isinstance(img, torch.Tensor) and padding_mode == "constant":
        return torch.nn.functional.pad(
            img, [left, right, top, bottom], value=float(fill if isinstance(fill, (int, float)) else 0)
        )
    channels, height, width = shape_of(img)
    return with_size(img, channels, height + top + bottom, width + left + right)


def hflip(img: Tensor) -> Tensor:
    return img.flip(-1) if isinstance(img, torch.Tensor) else img


def vflip(img: Tensor) -> Tensor:
    return img.flip(-2) if isinstance(img, torch.Tensor) else img


horizontal_flip, vertical_flip = hflip, vflip


def _same(img, *_, **__):
    return img.clone() if isinstance(img, torch.Tensor) else img


adjust_brightness = adjust_contrast = adjust_hue = adjust_saturation = adjust_gamma = adjust_sharpness = _same
rotate = affine = perspective = gaussian_blur = autocontrast = equalize = invert = posterize = solarize = elastic = (
    _same
)


def five_crop(img: Tensor, size: list[int]) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    return tuple(center_crop(img, size) for _ in range(5))


def ten_crop(img: Tensor, size: list[int], vertical_flip: bool = False) -> Any:
    return five_crop(img, size) + five_crop(hflip(img), size)


def to_grayscale(img: Any, num_output_channels: int = 1) -> Any:
    return with_size(img, num_output_channels, *shape_of(img)[1:])


rgb_to_grayscale = to_grayscale


def grayscale_to_rgb(img: Any) -> Tensor:
    return with_size(img, 3, *shape_of(img)[1:])


def erase(img: Tensor, i: int, j: int, h: int, w: int, v: Tensor, inplace: bool = False) -> Tensor:
    if not inplace:
        img = img.clone()
    img[..., i : i + h, j : j + w] = v
    return img


def get_interpolation(value: Any) -> Any:
    return value


_interpolation_modes_from_int = get_interpolation
