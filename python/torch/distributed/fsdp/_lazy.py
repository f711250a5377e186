"""The first use of the outermost instance: streams, storages that come and go, buffers in their dtypes (torch/distributed/fsdp/_runtime_utils.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ._states import TrainingState, states_below
from .api import HYBRID

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


_SAME_FOR_ALL = ("_use_orig_params", "limit_all_gathers")


def lazy_init(state: Any) -> None:
    """At the first forward of the outermost instance: streams, and the storages that come and go."""
    if state._is_root is not None:
        return
    state._is_root = True
    if state.training_state != TrainingState.IDLE:
        raise ValueError(f"expected to be in states {[TrainingState.IDLE]} but current state is {state.training_state}")
    for inner in states_below(state):
        handle = inner._handle
        if handle is None:
            continue
        device, on_host = handle.flat_param.device, torch.device("cpu")
        if not handle.offloaded and device != state.compute_device:
            raise RuntimeError(
                f"An FSDP-managed module unexpectedly has parameters on {device}. "
                f"Make sure to move the module to {state.compute_device} before training."
            )
        if handle.offloaded and device != on_host:
            raise RuntimeError(
                "An FSDP-managed module with parameter CPU offloading enabled has parameters on "
                f"{device}. Make sure to not move the module from CPU when offloading parameters."
            )
    state._all_fsdp_states = states_below(state)
    hybrid = any(inner.sharding_strategy in HYBRID for inner in state._all_fsdp_states)
    high = -1 if state.limit_all_gathers and hybrid else 0
    state._default_stream = torch.cuda.current_stream()
    state._unshard_stream = torch.cuda.Stream(priority=high)
    state._post_backward_stream = torch.cuda.Stream(priority=high)
    state._pre_unshard_stream = torch.cuda.Stream(priority=high)
    state._all_reduce_stream = torch.cuda.Stream() if hybrid else state._default_stream
    cast_buffers(*buffers_to_cast(state), state.compute_device)
    order = state._order
    order.all_handles = [s._handle for s in state._all_fsdp_states if s._handle is not None]
    state._all_handles = order.all_handles
    for inner in state._all_fsdp_states:
        for name in _SAME_FOR_ALL:
            if getattr(inner, name) != getattr(state, name):
                raise ValueError(
                    f"Expects one homogeneous value for {name} but got { ({getattr(state, name), getattr(inner, name)}) }"
                )
        if inner is not state:
            if inner._is_root:
                raise AssertionError(
                    "Non-root FSDP instance's `_is_root` should not have been set yet or should have been set to `False`"
                )
            inner._is_root = False
            for name in ("_unshard_stream", "_post_backward_stream", "_pre_unshard_stream", "_all_reduce_stream"):
                setattr(inner, name, getattr(state, name))
            inner._default_stream, inner._order = state._default_stream, order
        if inner._handle is not None:
            inner._handle.init_storages()


def buffers_to_cast(root: Any) -> tuple:
    """Buffers of all instances, inner ones first, and the dtype that each is computed in."""
    buffers, dtypes, seen = [], [], set()
    for state in reversed(states_below(root)):
        for name, buffer in state.named_buffers():
            if buffer not in seen:
                seen.add(buffer)
                if buffer not in state._ignored_buffers:
                    buffers.append(buffer)
                    dtypes.append(state.mixed_precision.buffer_dtype)
    return buffers, dtypes


def cast_buffers(buffers: Any, dtypes: Sequence[torch.dtype], device: torch.device | str | int) -> None:
    for buffer, dtype in zip(buffers, dtypes):
        if dtype is None or not torch.is_floating_point(buffer):
            buffer.data = buffer.to(device=device)
        else:
            buffer.data = buffer.to(device=device, dtype=dtype)
