"""torch.cuda.amp's older spellings of torch.amp."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import torch

from ...amp import autocast_mode as _amp

if TYPE_CHECKING:
    from collections.abc import Callable


class autocast(_amp.autocast):
    def __init__(self, enabled: bool = True, dtype: torch.dtype = torch.float16, cache_enabled: bool = True) -> None:
        super().__init__("cuda", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


def custom_fwd(fwd: Callable | None = None, *, cast_inputs: torch.dtype | None = None) -> Callable:
    return functools.partial(_amp.custom_fwd, device_type="cuda")(fwd=fwd, cast_inputs=cast_inputs)


def custom_bwd(bwd: Callable | None = None) -> Callable:
    return functools.partial(_amp.custom_bwd, device_type="cuda")(bwd)
