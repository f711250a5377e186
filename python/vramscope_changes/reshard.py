"""FSDP gives gathered parameters back after each forward, the root's as well."""

from __future__ import annotations

import functools

import torch.distributed.fsdp as fsdp

from ._sharding import around_fully_shard


def apply() -> None:
    around_fully_shard(lambda plain, module, kwargs: plain(module, **{**kwargs, "reshard_after_forward": True}))
    strategies = fsdp.ShardingStrategy
    resharding = {
        strategies.SHARD_GRAD_OP: strategies.FULL_SHARD,
        strategies._HYBRID_SHARD_ZERO2: strategies.HYBRID_SHARD,
    }
    wrapper = fsdp.FullyShardedDataParallel
    plain = wrapper.__init__

    @functools.wraps(plain)
    def __init__(self, *args, **kwargs):
        asked = kwargs.get("sharding_strategy")
        plain(self, *args, **{**kwargs, "sharding_strategy": resharding.get(asked, asked)})

    wrapper.__init__ = __init__
