"""Choosing the implementation of scaled_dot_product_attention."""

from __future__ import annotations

import contextlib
import enum
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Iterator


class SDPBackend(enum.IntEnum):
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


_SWITCHES = {
    SDPBackend.FLASH_ATTENTION: ("flash_sdp_enabled", "enable_flash_sdp"),
    SDPBackend.EFFICIENT_ATTENTION: ("mem_efficient_sdp_enabled", "enable_mem_efficient_sdp"),
    SDPBackend.MATH: ("math_sdp_enabled", "enable_math_sdp"),
    SDPBackend.CUDNN_ATTENTION: ("cudnn_sdp_enabled", "enable_cudnn_sdp"),
}


@contextlib.contextmanager
def sdpa_kernel(backends: list[SDPBackend] | SDPBackend, set_priority: bool = False) -> Iterator:
    """Allows only the given implementations. The order asked for by set_priority is not modelled."""
    if isinstance(backends, SDPBackend):
        backends = [backends]
    allowed = set(backends)
    controls = torch.backends.cuda
    before = {kind: getattr(controls, names[0])() for kind, names in _SWITCHES.items() if hasattr(controls, names[0])}
    try:
        for kind in before:
            getattr(controls, _SWITCHES[kind][1])(kind in allowed)
        yield {}
    finally:
        for kind, was in before.items():
            getattr(controls, _SWITCHES[kind][1])(was)
