"""Hooks that step ZeroRedundancyOptimizer's shares while DDP's backward and its communication go on."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch.distributed.optim import ZeroRedundancyOptimizer
    from torch.futures import Future
    from torch.nn.parallel import DistributedDataParallel
    from torch.nn.parallel._reducer import GradBucket

    Hook = Callable[[Any, GradBucket], Future]


def _overlap_of(zero, shard_buckets):
    if zero._overlap is None:
        raise ValueError(
            "ZeroRedundancyOptimizer must be constructed with `overlap_with_ddp=True` to use this hook properly"
        )
    zero._overlap.in_parts = shard_buckets
    return zero._overlap


def _is_ready(ddp, zero, bucket):
    """Buckets are learned in the pass after they were made anew; with the first bucket of the next one they are dealt out."""
    overlap = zero._overlap
    if not overlap.is_ready and ddp().reducer.has_rebuilt:
        if bucket.index() == 0 and overlap.buckets:
            overlap.settle(zero)
        else:
            overlap.buckets.append(bucket.parameters())
    return overlap.is_ready


def hook_with_zero_step(
    hook: Hook, ddp: DistributedDataParallel, zero: ZeroRedundancyOptimizer, shard_buckets: bool = False
) -> Hook:
    """Steps behind the last bucket of a pass."""
    overlap, me = _overlap_of(zero, shard_buckets), weakref.ref(ddp)

    def stepping(state: Any, bucket: GradBucket) -> Future:
        future = hook(state, bucket)
        if not _is_ready(me, zero, bucket):
            return future
        if bucket.index() in overlap.parts[zero.rank]:
            overlap.seen[bucket.index()], overlap.futures[bucket.index()] = bucket, future
        if bucket.index() < len(overlap.buckets) - 1:
            return future
        for index in range(len(overlap.buckets)):
            if index in overlap.seen:
                overlap.futures[index].wait()
                overlap.step(zero, overlap.seen[index])
            overlap.broadcast(zero, index)
        overlap.finish()
        return future

    return stepping


def hook_with_zero_step_interleaved(
    hook: Hook, ddp: DistributedDataParallel, zero: ZeroRedundancyOptimizer, shard_buckets: bool = False
) -> Hook:
    """Steps behind each bucket."""
    overlap, me = _overlap_of(zero, shard_buckets), weakref.ref(ddp)

    def stepping(state: Any, bucket: GradBucket) -> Future:
        future = hook(state, bucket)
        if not _is_ready(me, zero, bucket):
            return future

        def step(_):
            overlap.seen[bucket.index()] = True
            overlap.step(zero, bucket)
            overlap.broadcast(zero, bucket.index())
            if len(overlap.seen) == len(overlap.buckets):
                overlap.finish()
            return bucket.buffer()

        return future.then(step)

    return stepping
