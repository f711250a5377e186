"""torch.cuda.amp's older spellings of torch.amp."""

import functools

import torch

from ...amp import autocast_mode as _amp


class autocast(_amp.autocast):
    def __init__(self, enabled=True, dtype=torch.float16, cache_enabled=True):
        super().__init__("cuda", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


def custom_fwd(fwd=None, *, cast_inputs=None):
    return functools.partial(_amp.custom_fwd, device_type="cuda")(fwd=fwd, cast_inputs=cast_inputs)


def custom_bwd(bwd=None):
    return functools.partial(_amp.custom_bwd, device_type="cuda")(bwd)
