"""Images: padding, resizing, sampling, shuffling."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import torch
from torch._release import rules
from torch import _C

from ._pooling import adaptive_avg_pool2d, adaptive_avg_pool3d
from ._rows import adaptive_avg_pool1d

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


def pad(input: Any, pad: Any, mode: Any = "constant", value: Any = None) -> Tensor:
    return _C.ops.pad(input, list(pad), mode, value)


_AREA = {3: adaptive_avg_pool1d, 4: adaptive_avg_pool2d, 5: adaptive_avg_pool3d}
_UPSAMPLE = {
    ("nearest", 3): "upsample_nearest1d",
    ("nearest", 4): "upsample_nearest2d",
    ("nearest", 5): "upsample_nearest3d",
    ("nearest-exact", 3): "_upsample_nearest_exact1d",
    ("nearest-exact", 4): "_upsample_nearest_exact2d",
    ("nearest-exact", 5): "_upsample_nearest_exact3d",
    ("linear", 3): "upsample_linear1d",
    ("bilinear", 4): "upsample_bilinear2d",
    ("bicubic", 4): "upsample_bicubic2d",
    ("trilinear", 5): "upsample_trilinear3d",
}
_SMOOTHED = {
    "bilinear": "_upsample_bilinear2d_aa",
    "bicubic": "_upsample_bicubic2d_aa",
    "lanczos": "_upsample_lanczos2d_aa",
}


def _per_dimension(input, value, dim, name):
    if not isinstance(value, (list, tuple)):
        return [value] * dim
    if len(value) != dim:
        what, option, dims = (
            ("output", "output size", "output size in (o1, o2, ...,oK) format")
            if name == "size"
            else ("scale_factor", "scale_factor", "scale_factor in (s1, s2, ...,sK) format")
        )
        sizes = list(input.shape[2:])
        raise ValueError(
            f"Input and {what} must have the same number of spatial dimensions, but got input with spatial dimensions of "
            f"{sizes} and {option} of {value}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and {dims}."
        )
    return list(value)


def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: list[float] | float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError("align_corners can only be set with the modes: linear | bilinear | bicubic | trilinear")
    elif align_corners is None:
        align_corners = False
    dim = input.dim() - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    output_size = None if size is None else _per_dimension(input, size, dim, "size")
    scales = None if scale_factor is None else _per_dimension(input, scale_factor, dim, "scale_factor")
    if (mode == "area" and output_size is None) or recompute_scale_factor:
        output_size = [int(input.size(i + 2) * scales[i]) for i in range(dim)]
        scales = None
    if antialias:
        if mode not in _SMOOTHED or input.ndim != 4:
            raise ValueError(
                "Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as input"
            )
        return getattr(_C.ops, _SMOOTHED[mode])(input, output_size, align_corners, scales)
    if mode == "area" and input.dim() in _AREA:
        return _AREA[input.dim()](input, output_size)
    name = _UPSAMPLE.get((mode, input.dim()))
    if name is None:
        needed = {"linear": 3, "bilinear": 4, "trilinear": 5}.get(mode)
        if needed and 3 <= input.dim() <= 5:
            raise NotImplementedError(f"Got {input.dim()}D input, but {mode} mode needs {needed}D input")
        lanczos = " | lanczos" if rules.interpolate_error_lists_lanczos else ""
        raise NotImplementedError(
            "Input Error: Only 3D, 4D and 5D input Tensors supported"
            f" (got {input.dim()}D) for the modes: nearest | linear | bilinear | bicubic | trilinear{lanczos} | area | nearest-exact"
            f" (got {mode})"
        )
    if mode.startswith("nearest"):
        return getattr(_C.ops, name)(input, output_size, scales)
    return getattr(_C.ops, name)(input, output_size, align_corners, scales)


def upsample(
    input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: Any = None
) -> Tensor:
    warnings.warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Any, size: Any = None, scale_factor: Any = None) -> Tensor:
    return interpolate(input, size, scale_factor, mode="nearest")


def upsample_bilinear(input: Any, size: Any = None, scale_factor: Any = None) -> Tensor:
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


_SAMPLE_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
_SAMPLE_PADDING = {"zeros": 0, "border": 1, "reflection": 2}


def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: Any = None
) -> Tensor:
    if mode not in _SAMPLE_MODES:
        raise ValueError(f"grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'")
    if padding_mode not in _SAMPLE_PADDING:
        raise ValueError(
            f"grid_sample(): expected padding_mode to be 'zeros', 'border' or 'reflection', but got: '{padding_mode}'"
        )
    return _C.ops.grid_sampler(input, grid, _SAMPLE_MODES[mode], _SAMPLE_PADDING[padding_mode], bool(align_corners))


def affine_grid(theta: Tensor, size: Sequence[int], align_corners: Any = None) -> Tensor:
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    if len(size) not in (4, 5):
        raise NotImplementedError(f"affine_grid only supports 4D and 5D sizes. Got size {size}.")
    rows = len(size) - 2
    if theta.dim() != 3 or theta.shape[-2] != rows or theta.shape[-1] != rows + 1:
        raise ValueError(
            f"Expected a batch of {rows}D affine matrices of shape Nx{rows}x{rows + 1} for size {size}. Got {theta.shape}."
        )
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return torch.affine_grid_generator(theta, list(size), bool(align_corners))


__all__ = [
    "affine_grid",
    "grid_sample",
    "interpolate",
    "pad",
    "upsample",
    "upsample_bilinear",
    "upsample_nearest",
]
