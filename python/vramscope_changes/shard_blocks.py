"""FSDP shards each block of a model by itself where a program wraps the whole model only: one block is gathered at a time."""

from __future__ import annotations

import functools

import torch.distributed.fsdp as fsdp

from ._blocks import outermost_blocks_of
from ._sharding import around_fully_shard


def apply() -> None:
    around_fully_shard(_block_by_block)
    wrapper = fsdp.FullyShardedDataParallel
    plain = wrapper.__init__

    @functools.wraps(plain)
    def __init__(self, module, *args, **kwargs):
        if kwargs.get("auto_wrap_policy") is None and not any(isinstance(m, wrapper) for m in module.modules()):
            own = {id(block) for block in outermost_blocks_of(module)}
            kwargs = {**kwargs, "auto_wrap_policy": fsdp.wrap.CustomPolicy(lambda m: id(m) in own)}
        plain(self, module, *args, **kwargs)

    wrapper.__init__ = __init__


def _block_by_block(plain, module, kwargs):
    if not isinstance(module, (list, tuple)) and not any(isinstance(m, fsdp.FSDPModule) for m in module.modules()):
        for block in outermost_blocks_of(module):
            # FSDP2 leaves the root's parameters gathered for backward, which is of no use for a block
            plain(block, **kwargs)
    return plain(module, **kwargs)
