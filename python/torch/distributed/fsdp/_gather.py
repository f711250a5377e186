"""Gathers a flat parameter and gives it back, now or for the unit that comes next (torch/distributed/fsdp/_runtime_utils.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ._states import HandleTrainingState
from .api import BackwardPrefetch

if TYPE_CHECKING:
    from typing import Any


def unshard(state: Any, handle: Any, unshard_stream: Any, pre_unshard_stream: Any) -> None:
    """Gathers a flat parameter; the cast or the copy from the host before it has a stream of its own."""
    with torch.cuda.stream(pre_unshard_stream):
        prepared = handle.pre_unshard()
    if prepared:
        unshard_stream.wait_stream(pre_unshard_stream)
    with torch.cuda.stream(unshard_stream):
        handle.unshard()
        handle.post_unshard()


def reshard(state: Any, handle: Any, free_whole: Any) -> None:
    handle.reshard(free_whole)
    handle.post_reshard()
    handle.prefetched = False


def prefetch(state: Any, handle: Any, phase: Any) -> None:
    """Gathers the unit that comes next, if the options want it now."""
    order = state._order
    if handle.state == HandleTrainingState.FORWARD:
        target = order.next_in_forward(handle) if state.forward_prefetch else None
        wanted = target is not None and target.needs_pre_forward_unshard
    else:
        now = {
            HandleTrainingState.BACKWARD_PRE: BackwardPrefetch.BACKWARD_PRE,
            HandleTrainingState.BACKWARD_POST: BackwardPrefetch.BACKWARD_POST,
        }[handle.state]
        target = order.next_in_backward(handle) if state.backward_prefetch == now else None
        wanted = target is not None and target.needs_pre_backward_unshard
    if not wanted or target.prefetched:
        return
    before = target.state
    target.state = phase
    unshard(state, target, state._unshard_stream, state._pre_unshard_stream)
    target.state = before
    target.prefetched = True
