"""DistributedDataParallel's gradients are parts of its buckets, not copies beside them."""

from __future__ import annotations

import functools

from torch.nn.parallel import DistributedDataParallel


def apply() -> None:
    plain = DistributedDataParallel.__init__

    @functools.wraps(plain)
    def __init__(self, *args, **kwargs):
        plain(self, *args, **{**kwargs, "gradient_as_bucket_view": True})

    DistributedDataParallel.__init__ = __init__
