"""DistributedDataParallel's gradients are parts of its buckets, not copies beside them."""

from __future__ import annotations

import functools


def apply() -> None:
    # imported here: every change lies in the frozen interpreter, and what few programs use must not
    from torch.nn.parallel import DistributedDataParallel

    plain = DistributedDataParallel.__init__

    @functools.wraps(plain)
    def __init__(self, *args, **kwargs):
        plain(self, *args, **{**kwargs, "gradient_as_bucket_view": True})

    DistributedDataParallel.__init__ = __init__
