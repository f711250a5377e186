"""What happens around forward: gathering before it, giving back after it, hooks for backward (torch/distributed/fsdp/_runtime_utils.py)."""

import functools

import torch
from torch.autograd import graph

from . import _backward
from ._fully_shard._api import apply_to_tensors
from ._states import HandleTrainingState, TrainingState, states_below
from .api import HYBRID, SHARDED_AFTER_FORWARD, BackwardPrefetch

_SAME_FOR_ALL = ("_use_orig_params", "limit_all_gathers")


def lazy_init(state):
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


def buffers_to_cast(root):
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


def cast_buffers(buffers, dtypes, device):
    for buffer, dtype in zip(buffers, dtypes):
        if dtype is None or not torch.is_floating_point(buffer):
            buffer.data = buffer.to(device=device)
        else:
            buffer.data = buffer.to(device=device, dtype=dtype)


def cast_inputs(dtype, args, kwargs):
    if dtype is None:
        return args, kwargs

    def cast(x):
        return x if not torch.is_floating_point(x) or x.dtype == dtype else x.to(dtype)

    return apply_to_tensors(cast, args), apply_to_tensors(cast, kwargs)


def root_pre_forward(state, args, kwargs):
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


def pre_forward(state, handle, args, kwargs):
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


def post_forward(state, handle, output):
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


def unshard(state, handle, unshard_stream, pre_unshard_stream):
    """Gathers a flat parameter; the cast or the copy from the host before it has a stream of its own."""
    with torch.cuda.stream(pre_unshard_stream):
        prepared = handle.pre_unshard()
    if prepared:
        unshard_stream.wait_stream(pre_unshard_stream)
    with torch.cuda.stream(unshard_stream):
        handle.unshard()
        handle.post_unshard()


def reshard(state, handle, free_whole):
    handle.reshard(free_whole)
    handle.post_reshard()
    handle.prefetched = False


def prefetch(state, handle, phase):
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
