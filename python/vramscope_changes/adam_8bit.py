"""Adam and AdamW keep their state in 8 bits, as in bitsandbytes."""

from __future__ import annotations

import bitsandbytes
import torch


def apply() -> None:
    import torch.optim.adam
    import torch.optim.adamw

    for name, where in (("Adam", torch.optim.adam), ("AdamW", torch.optim.adamw)):
        kind = _like(getattr(bitsandbytes.optim, f"{name}8bit"), getattr(torch.optim, name))
        setattr(torch.optim, name, kind)
        setattr(where, name, kind)


def _like(kind, plain):
    """The optimizer `kind`, called as the other one; options about how it goes through parameters mean nothing to it."""
    import inspect

    defaults = inspect.signature(plain.__init__).parameters

    class EightBit(kind):
        def __init__(
            self,
            params,
            lr=1e-3,
            betas=(0.9, 0.999),
            eps=1e-8,
            weight_decay=defaults["weight_decay"].default,
            **options,
        ):
            super().__init__(params, lr, betas, eps, weight_decay)

    EightBit.__name__ = EightBit.__qualname__ = kind.__name__
    return EightBit
