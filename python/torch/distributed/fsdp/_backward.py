"""Backward of units: gathering before it, reducing and giving back after it (torch/distributed/fsdp/_runtime_utils.py)."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.autograd import graph

from ..algorithms._comm_hooks import default_hooks as _comm_hooks
from . import _gather
from ._flat_param import record_stream
from ._states import HandleTrainingState, TrainingState
from .api import HYBRID, SHARDED_AFTER_FORWARD

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def pre_backward(state: Any, handle: Any, grad: Tensor) -> Tensor:
    if handle is not None and handle.ran_pre_backward:
        return grad
    if state._is_root and not state._callback_queued:
        state._callback_queued = True
        graph.queue_callback(functools.partial(_end_of_backward, state))
        for each in state._all_handles:
            each.forget_missing_grads()
    state.training_state = TrainingState.FORWARD_BACKWARD
    if handle is None:
        return grad
    handle.state = HandleTrainingState.BACKWARD_PRE
    if handle.needs_pre_backward_unshard and not handle.prefetched:
        _gather.unshard(state, handle, state._unshard_stream, state._pre_unshard_stream)
    handle.needs_pre_backward_unshard = False
    _gather.prefetch(state, handle, HandleTrainingState.BACKWARD_PRE)
    handle.prepare_for_backward()
    handle.ran_pre_backward = True
    return grad


@torch.no_grad()
def post_backward(state: Any, handle: Any, *_: Any) -> None:
    """The gradient of a flat parameter has been accumulated: reduces it."""
    flat_param = handle.flat_param
    flat_param._post_backward_called = True
    handle.state = HandleTrainingState.BACKWARD_POST
    if flat_param.grad is None:
        return
    if flat_param.grad.requires_grad:
        raise RuntimeError("FSDP does not support gradients of gradients")
    _reshard(state, handle)
    if not state._sync_gradients:
        if handle.use_orig_params:
            handle.set_unsharded_grad_views()
        return
    with torch.cuda.stream(state._post_backward_stream):
        computed = flat_param.grad.data
        if (
            not _comm_hooks.is_low_precision(state._comm_hook)
            and flat_param.grad.dtype != handle.reduce_dtype
            and not handle.in_full_precision
        ):
            flat_param.grad.data = flat_param.grad.to(handle.reduce_dtype)
        if handle.sharded:
            _reduce_scatter(state, handle)
        else:
            _all_reduce(state, handle)
        record_stream(computed, state._post_backward_stream)


def reshard_frozen(state: Any, handle: Any, *_: Any) -> None:
    state.training_state = TrainingState.FORWARD_BACKWARD
    handle.state = HandleTrainingState.BACKWARD_POST
    _reshard(state, handle)


def _reshard(state, handle):
    _gather.reshard(state, handle, _frees(state, handle))
    _gather.prefetch(state, handle, HandleTrainingState.BACKWARD_PRE)


def _frees(state, handle):
    """Whether the gathered parameter goes after backward: without a reduction only if it also went after forward."""
    return handle.sharded and (state._sync_gradients or handle.strategy in SHARDED_AFTER_FORWARD)


def _divide(tensor, factor):
    if factor > 1:
        tensor.div_(factor)


def _reduce_scatter(state, handle):
    flat_param = handle.flat_param
    whole = flat_param.grad.data
    flat_param.grad = None
    padded, shard = _padded_and_shard(state, whole)
    if state._comm_hook is not None:
        state._comm_hook(state._comm_hook_state, padded, shard)
    else:
        _divide(padded, state._gradient_predivide_factor)
        dist.reduce_scatter_tensor(shard, padded, group=state.process_group)
        if handle.strategy in HYBRID:
            with torch.cuda.stream(state._all_reduce_stream):
                record_stream(shard, state._all_reduce_stream)
                dist.all_reduce(shard, group=state._inter_node_pg)
                _divide(shard, state._gradient_postdivide_factor)
                _keep(state, handle, _accumulated(state, handle, shard))
                return
        _divide(shard, state._gradient_postdivide_factor)
    _keep(state, handle, _accumulated(state, handle, shard))


def _padded_and_shard(state, whole):
    chunks = list(whole.chunk(state.world_size))
    missing = state.world_size * chunks[0].numel() - whole.numel()
    padded = F.pad(whole, [0, missing]) if missing > 0 else whole
    if padded is not whole:
        torch._C.tag(padded, "communication")
    return padded, torch.empty_like(chunks[0])


def _accumulated(state, handle, shard):
    flat_param = handle.flat_param
    _cast_to_param_dtype(state, shard, flat_param)
    if hasattr(flat_param, "_saved_grad_shard"):
        flat_param._saved_grad_shard += shard
    else:
        flat_param._saved_grad_shard = shard
    return flat_param._saved_grad_shard


def _cast_to_param_dtype(state, grad, flat_param):
    if not _comm_hooks.is_low_precision(state._comm_hook) and grad.dtype != flat_param.dtype:
        narrow = grad.data
        grad.data = grad.data.to(dtype=flat_param.dtype)
        record_stream(narrow, torch.cuda.current_stream())


def _all_reduce(state, handle):
    flat_param = handle.flat_param
    if state._comm_hook is not None:
        state._comm_hook(state._comm_hook_state, flat_param.grad)
    else:
        _divide(flat_param.grad, state._gradient_predivide_factor)
        dist.all_reduce(flat_param.grad, group=state.process_group)
        _divide(flat_param.grad, state._gradient_postdivide_factor)
    if not handle.keep_low_precision_grads:
        _cast_to_param_dtype(state, flat_param.grad, flat_param)
    _keep(state, handle, flat_param.grad.data)


def _keep(state, handle, grad):
    """The reduced gradient goes to the host, or the parameters see their parts of it."""
    if handle.offloaded:
        handle.flat_param._cpu_grad.copy_(grad.detach(), non_blocking=handle.sharded)
        record_stream(grad.data, state._post_backward_stream)
    if handle.use_orig_params:
        for i, param in enumerate(handle.layout.params):
            if param.requires_grad:
                handle.layout.grad_is_none[i] = False
        handle.set_sharded_grad_views()


@torch.no_grad()
def _end_of_backward(root):
    """When the whole backward is over: what was not given back, and the gradients where the optimizer looks."""
    root._order.next_pass()
    for state in root._all_fsdp_states:
        handle = state._handle
        if handle is not None:
            flat_param = handle.flat_param
            shard_is_used = flat_param.untyped_storage() == flat_param._local_shard.untyped_storage()
            if not shard_is_used or handle.skipped_views_of is not None:
                _gather.reshard(state, handle, _frees(state, handle))
            _finish(state, handle)
        state.training_state = TrainingState.IDLE
        if handle is not None:
            handle.ran_pre_backward = handle.needs_pre_backward_unshard = handle.prefetched = False
            handle.post_forward_index = None
            handle.state = HandleTrainingState.IDLE
    root._callback_queued = False


def _finish(state, handle):
    flat_param = handle.flat_param
    if hasattr(flat_param, "_accumulation"):
        flat_param._accumulation[-1].remove()
        del flat_param._accumulation
    if flat_param.requires_grad and state._sync_gradients:
        handle.prepare_for_optimizer()
        flat_param._post_backward_called = False
