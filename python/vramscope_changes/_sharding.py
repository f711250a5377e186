"""Puts something around `fully_shard`, wherever a program takes it from."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import torch.distributed._composable.fsdp as composable
import torch.distributed.fsdp as fsdp

if TYPE_CHECKING:
    from collections.abc import Callable


def around_fully_shard(wrap: Callable) -> None:
    """`wrap(plain, module, kwargs)` is called in its place."""
    plain = fsdp.fully_shard

    @functools.wraps(plain)
    def fully_shard(module, **kwargs):
        return wrap(plain, module, kwargs)

    # what belongs to the function (its state of a module) is still found on it
    fully_shard.__dict__.update(vars(plain))
    fsdp.fully_shard = composable.fully_shard = fully_shard
