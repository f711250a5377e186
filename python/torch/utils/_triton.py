"""torch.utils._triton: whether kernels written in Triton can be made for the GPU that is simulated."""

from __future__ import annotations

import importlib.util


def has_triton_package() -> bool:
    return importlib.util.find_spec("triton") is not None


def get_triton_version(fallback: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    if not has_triton_package():
        return fallback
    import triton

    major, minor = (int(part) for part in triton.__version__.split(".")[:2])
    return major, minor


def has_triton() -> bool:
    """Triton asks for GPUs from Volta on."""
    import torch

    return has_triton_package() and torch.cuda.is_available() and torch.cuda.get_device_capability() >= (7, 0)


def has_triton_tma() -> bool:
    return False


has_triton_tma_device = has_triton_experimental_host_tma = has_triton_tensor_descriptor_host_tma = has_triton_tma
