"""Parameters gathered outside of forward and backward (torch/distributed/fsdp/_unshard_param_utils.py)."""

from __future__ import annotations

import contextlib
import warnings
from typing import TYPE_CHECKING

import torch

from . import _gather, _lazy
from ._states import FLAT_PARAM, HandleTrainingState, TrainingState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def register_flat_param(state: Any) -> None:
    if state._handle is not None:
        state.module._parameters[FLAT_PARAM] = state._handle.flat_param


def deregister_flat_param(state: Any) -> None:
    if state._handle is not None:
        state.module._parameters.pop(FLAT_PARAM, None)


@contextlib.contextmanager
def _as_params(state):
    deregister_flat_param(state)
    try:
        state._handle.set_unsharded_views(as_params=True)
        try:
            yield
        finally:
            state._handle.set_unsharded_views(as_params=False)
    finally:
        if not state._handle.use_orig_params:
            register_flat_param(state)


def _check(state, writeback, rank0_only, offload_to_cpu, with_grads):
    if with_grads and (offload_to_cpu or not state._use_orig_params):
        raise NotImplementedError(
            f"with_grads={with_grads}, use_orig_params={state._use_orig_params}, "
            f"offload_to_cpu={offload_to_cpu} is not supported yet"
        )
    if offload_to_cpu and state._handle and not state._handle.sharded:
        raise NotImplementedError("offload_to_cpu=True and NO_SHARD is not supported yet")
    if writeback and rank0_only:
        raise NotImplementedError("writeback=True and rank0_only=True is not supported yet")
    if offload_to_cpu and not rank0_only:
        warnings.warn(
            "offload_to_cpu=True and rank0_only=False may result in the unsharded parameters being redundantly "
            "copied to CPU memory for GPUs sharing the same CPU memory, which risks CPU OOM. "
            "We recommend using offload_to_cpu=True with rank0_only=True."
        )


@contextlib.contextmanager
def unsharded(state: Any, writeback: bool, rank0_only: bool, offload_to_cpu: bool, with_grads: bool) -> Iterator:
    """Gathers the parameters of one instance."""
    _check(state, writeback, rank0_only, offload_to_cpu, with_grads)
    handle = state._handle
    if handle is None or handle.state == HandleTrainingState.SUMMON_FULL_PARAMS:
        yield
        return
    if handle.state != HandleTrainingState.IDLE:
        raise AssertionError(f"Expects the handle training to be IDLE but got {handle.state}")
    handle.state = HandleTrainingState.SUMMON_FULL_PARAMS
    handle.forget_missing_grads()
    free_whole = handle.needs_unshard()
    current = torch.cuda.current_stream()
    _gather.unshard(state, handle, current, current)
    if with_grads:
        handle.unshard_grad()
    if rank0_only and state.rank != 0:
        _back(state, handle, free_whole, with_grads)
        try:
            yield
        finally:
            handle.state = HandleTrainingState.IDLE
        return
    with contextlib.ExitStack() as stack:
        if offload_to_cpu and handle.sharded:
            stack.enter_context(handle.on_host())
        if not state._use_orig_params:
            stack.enter_context(_as_params(state))
        try:
            yield
        finally:
            stack.close()
            if writeback:
                handle.write_to_shard(with_grads)
            _back(state, handle, free_whole, with_grads)
            handle.state = HandleTrainingState.IDLE


def _back(state, handle, free_whole, with_grads):
    _gather.reshard(state, handle, free_whole)
    if with_grads:
        handle.reshard_grad()


@contextlib.contextmanager
def unsharded_for_summon(
    state: Any, writeback: bool, rank0_only: bool, offload_to_cpu: bool, with_grads: bool
) -> Iterator:
    _check(state, writeback, rank0_only, offload_to_cpu, with_grads)
    _lazy.lazy_init(state)
    if state.training_state == TrainingState.FORWARD_BACKWARD:
        raise AssertionError("Cannot manually unshard parameters during forward/backward")
    if state.training_state == TrainingState.SUMMON_FULL_PARAMS:
        raise AssertionError("Cannot manually unshard parameters when already unsharding parameters")
    with unsharded(state, writeback, rank0_only, offload_to_cpu, with_grads):
        state.training_state = TrainingState.SUMMON_FULL_PARAMS
        try:
            yield
        finally:
            state.training_state = TrainingState.IDLE
