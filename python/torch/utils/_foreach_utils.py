"""torch.utils._foreach_utils: the names by which optimizers of other packages group tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._foreach import group_with_indices, may_use_foreach

if TYPE_CHECKING:
    import torch


def _group_tensors_by_device_and_dtype(
    tensorlistlist: list, with_indices: bool = False
) -> dict[tuple[torch.device, torch.dtype], tuple[list, list]]:
    """{(device, dtype): (lists, positions)}; no positions unless they are asked for."""
    groups = group_with_indices(tensorlistlist)
    return groups if with_indices else {key: (found, []) for key, (found, _) in groups.items()}


def _get_foreach_kernels_supported_devices() -> list[str]:
    return ["cuda", "xpu", "mtia"]


def _get_fused_kernels_supported_devices() -> list[str]:
    return ["mps", "cuda", "xpu", "hpu", "cpu", "mtia"]


def _device_has_foreach_support(device: torch.device) -> bool:
    return device.type in (*_get_foreach_kernels_supported_devices(), "cpu")


def _has_foreach_support(tensors: list, device: torch.device) -> bool:
    return _device_has_foreach_support(device) and may_use_foreach(tensors)
