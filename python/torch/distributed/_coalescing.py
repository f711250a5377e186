"""Collectives one after another as one."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from . import _world
from ._world import _resolve

if TYPE_CHECKING:
    from torch.distributed._nccl import Work


class _CoalescingManager:
    def __init__(self) -> None:
        self.works = []

    def append(self, work: Work | None = None) -> None:
        if work is not None:
            self.works.append(work)

    def wait(self) -> None:
        for work in self.works:
            work.wait()


@contextlib.contextmanager
def _coalescing_manager(group=None, device=None, async_ops=False):
    """Gathers the collectives inside: those of one kind become one call, with a device each runs and shares one Work."""
    group = _resolve(group)
    if _world._coalescing.get(group):
        raise ValueError("ProcessGroup has non-empty op list at the start of coalescing")
    _world._coalescing[group] = []
    if device:
        group._start_coalescing(device)
    manager = _CoalescingManager()
    yield manager
    work = None
    calls = _world._coalescing.pop(group)
    if calls:
        if any(call[0] != calls[0][0] for call in calls):
            raise RuntimeError("Coalescing manager requires all collectives to be the same type")
        work = _fused(group, calls, async_ops)
        del calls
    if device:
        work = group._end_coalescing(device)
    if async_ops:
        manager.append(work)
    elif work is not None:
        work.wait()


def _fused(group, calls, async_ops):
    inputs = [call[1] for call in calls]
    if calls[0][0] == "allreduce":
        return group.allreduce_coalesced(inputs, async_ops)
    outputs = [call[2] for call in calls]
    if calls[0][0] == "allgather":
        return group.allgather_single_coalesced(outputs, inputs, async_ops)
    return group.reduce_scatter_single_coalesced(outputs, inputs, async_ops)
