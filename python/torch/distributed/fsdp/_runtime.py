"""What happens around forward: gathering before it, giving back after it, hooks for backward (torch/distributed/fsdp/_runtime_utils.py)."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import torch
from torch.autograd import graph

from . import _backward
from ._fully_shard._api import apply_to_tensors
from ._gather import prefetch, reshard, unshard
from ._lazy import lazy_init
from ._states import HandleTrainingState, TrainingState
from .api import SHARDED_AFTER_FORWARD

if TYPE_CHECKING:
    from typing import Any


def cast_inputs(dtype: torch.dtype, args: Any, kwargs: dict) -> tuple:
    if dtype is None:
        return args, kwargs

    def cast(x):
        return x if not torch.is_floating_point(x) or x.dtype == dtype else x.to(dtype)

    return apply_to_tensors(cast, args), apply_to_tensors(cast, kwargs)


def root_pre_forward(state: Any, args: Any, kwargs: dict) -> tuple:
    lazy_init(state)
    if not state._is_root:
        return args, kwargs
    if state.forward_prefetch:
        for handle in state._all_handles:
            handle.needs_pre_forward_unshard, handle.prefetched = True, False
    for handle in state._all_handles:
        handle.forget_missing_grads()
    device = state.compute_device
    args = apply_to_tensors(lambda t: t.to(device), args)
    kwargs = apply_to_tensors(lambda t: t.to(device), kwargs)
    if state.mixed_precision.cast_root_forward_inputs and not (state._handle and state._handle.in_full_precision):
        args, kwargs = cast_inputs(state.mixed_precision.param_dtype, args, kwargs)
    return args, kwargs


def pre_forward(state: Any, handle: Any, args: Any, kwargs: dict) -> tuple:
    if handle is not None and handle.state == HandleTrainingState.BACKWARD_PRE:
        # a checkpoint runs forward again: parameters are gathered
        return args, kwargs
    state.training_state = TrainingState.FORWARD_BACKWARD
    if handle is None:
        return args, kwargs
    state._order.before_forward(handle)
    handle.state = HandleTrainingState.FORWARD
    if not handle.prefetched:
        unshard(state, handle, state._unshard_stream, state._pre_unshard_stream)
    handle.needs_pre_forward_unshard = False
    prefetch(state, handle, HandleTrainingState.FORWARD)
    _hook_accumulation(state, handle)
    flat_param = handle.flat_param
    if handle.offloaded and flat_param._cpu_grad is None:
        flat_param._cpu_grad = torch.zeros_like(flat_param._local_shard, device="cpu").pin_memory()
    if not handle.in_full_precision and state.mixed_precision.cast_forward_inputs:
        args, kwargs = cast_inputs(state.mixed_precision.param_dtype, args, kwargs)
    _hook_inputs_of_frozen(state, handle, args, kwargs)
    return args, kwargs


def post_forward(state: Any, handle: Any, output: Any) -> Any:
    if handle is not None and handle.state == HandleTrainingState.BACKWARD_PRE:
        return output
    if handle is not None:
        state._order.after_forward(handle)
        reshard(state, handle, not state._is_root and handle.strategy in SHARDED_AFTER_FORWARD)
    output = _hook_outputs(state, handle, output)
    state.training_state = TrainingState.IDLE
    if handle is not None:
        handle.state = HandleTrainingState.IDLE
    return output


def _hook_outputs(state, handle, output):
    if not torch.is_grad_enabled():
        return output
    if state._is_root:
        state._callback_queued = False
    if handle is not None:
        handle.needs_pre_backward_unshard = handle.ran_pre_backward = False

    def hook(t):
        if t.requires_grad:
            t.register_hook(functools.partial(_backward.pre_backward, state, handle))
            if handle is not None:
                handle.needs_pre_backward_unshard = True
        return t

    return apply_to_tensors(hook, output)


def _hook_accumulation(state, handle):
    """Reduces the gradient when it has been accumulated; the first use of a pass counts."""
    flat_param = handle.flat_param
    if not torch.is_grad_enabled() or hasattr(flat_param, "_accumulation") or not flat_param.requires_grad:
        return
    view = flat_param.expand_as(flat_param)
    accumulate = view.grad_fn.next_functions[0][0]
    hook = accumulate.register_hook(functools.partial(_backward.post_backward, state, handle))
    flat_param._accumulation = (accumulate, hook)


def _hook_inputs_of_frozen(state, handle, args, kwargs):
    """A frozen flat parameter is given back when the gradients of its unit's inputs are there."""
    flat_param = handle.flat_param
    if not torch.is_grad_enabled() or hasattr(flat_param, "_accumulation") or flat_param.requires_grad:
        return
    inputs = []
    apply_to_tensors(lambda t: (inputs.append(t) if t.requires_grad else None, t)[1], (args, kwargs))
    if inputs:
        hook = graph.register_multi_grad_hook(inputs, functools.partial(_backward.reshard_frozen, state, handle))
        flat_param._accumulation = (hook,)
