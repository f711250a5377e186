"""Activation checkpointing: the region's activations are dropped after forward and made again when backward needs them."""

from __future__ import annotations

import contextlib
import functools
import warnings
from typing import TYPE_CHECKING

import torch

from torch._release import rules

from ._checkpoint_arguments import (
    DefaultDeviceType,
    _autocast_states,
    _device_type,
    check_backward_validity,
    detach_variable,
    get_device_states,
    set_device_states,
)
from ._checkpoint_frames import _METADATA, CheckpointError, _forward_hooks, _Frame, _StopRecomputationError
from ._checkpoint_selective import (
    CheckpointPolicy,
    SelectiveCheckpointContext,
    create_selective_checkpoint_contexts,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from torch import Tensor


__all__ = [
    "checkpoint",
    "checkpoint_sequential",
    "CheckpointError",
    "CheckpointFunction",
    "check_backward_validity",
    "detach_variable",
    "get_device_states",
    "set_device_states",
    "noop_context_fn",
    "set_checkpoint_early_stop",
    "set_checkpoint_debug_enabled",
    "DefaultDeviceType",
    "CheckpointPolicy",
    "SelectiveCheckpointContext",
    "create_selective_checkpoint_contexts",
]


# --- reentrant: a custom function whose backward runs a backward of its own -------------------------------------------


class CheckpointFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, run_function: Callable, preserve_rng_state: bool, *args: Tensor) -> Tensor:
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.autocast = _autocast_states(_device_type(args))
        ctx.inputs = [None if isinstance(arg, torch.Tensor) else arg for arg in args]
        ctx.tensor_indices = [i for i, arg in enumerate(args) if isinstance(arg, torch.Tensor)]
        ctx.save_for_backward(*[args[i] for i in ctx.tensor_indices])
        with torch.no_grad():
            outputs = run_function(*args)
        return outputs

    @staticmethod
    def backward(ctx: Any, *args: Tensor) -> tuple[None, None, Tensor]:
        if not torch.autograd._is_checkpoint_valid():
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                "parameter to .backward(). To resolve this error, you can either set use_reentrant=False, or call "
                ".backward() without passing the `inputs` argument."
            )
        inputs = list(ctx.inputs)
        tensors = ctx.saved_tensors
        for i, tensor in zip(ctx.tensor_indices, tensors):
            inputs[i] = tensor
        detached_inputs = detach_variable(tuple(inputs))
        (device, on_device), (cpu, on_cpu) = ctx.autocast
        with torch.enable_grad(), torch.amp.autocast(device, **on_device), torch.amp.autocast(cpu, **on_cpu):
            outputs = ctx.run_function(*detached_inputs)
        if isinstance(outputs, torch.Tensor):
            outputs = (outputs,)
        roots = []
        root_grads = []
        for i in range(len(outputs)):
            if isinstance(outputs[i], torch.Tensor) and outputs[i].requires_grad:
                roots.append(outputs[i])
                root_grads.append(args[i])
        if len(roots) == 0:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        torch.autograd.backward(roots, root_grads)
        return (None, None) + tuple(x.grad if isinstance(x, torch.Tensor) else None for x in detached_inputs)


# --- non-reentrant: saved-tensor hooks --------------------------------------------------------------------------------


def noop_context_fn() -> tuple:
    return contextlib.nullcontext(), contextlib.nullcontext()


_early_stop = None
_debug_enabled = None


@contextlib.contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator:
    """Overrides whether a recomputation stops at the last tensor that backward needs."""
    global _early_stop
    before = _early_stop
    _early_stop = enable
    try:
        yield
    finally:
        _early_stop = before


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator:
    global _debug_enabled
    before = _debug_enabled
    _debug_enabled = enabled
    try:
        yield
    finally:
        _debug_enabled = before


def _without_reentrant(function, args, kwargs, context_fn, determinism_check, early_stop):
    if determinism_check not in _METADATA:
        raise ValueError(f"determinism_check should be one of {list(_METADATA)}, but got {determinism_check}")
    forward_context, recompute_context = context_fn()
    (device, on_device), (cpu, on_cpu) = _autocast_states(_device_type(args))

    def recompute(*inputs):
        with torch.amp.autocast(device, **on_device), torch.amp.autocast(cpu, **on_cpu), recompute_context:
            function(*inputs, **kwargs)

    if _early_stop is not None:
        early_stop = _early_stop
    elif early_stop is None:
        early_stop = rules.checkpoints_stop_early
    frame = _Frame(recompute, early_stop, _METADATA[determinism_check])
    if not torch.is_grad_enabled():
        return function(*args, **kwargs)
    frame.save_inputs(args)
    with _forward_hooks(frame), forward_context:
        result = function(*args, **kwargs)
    frame.forward_completed = True
    return result


class _Checkpointed:
    """checkpoint(use_reentrant=...) as a decorator of functions and methods."""

    def __init__(self, function: Callable, **options: Any) -> None:
        self.function = function
        self.options = options
        functools.update_wrapper(self, function, updated=())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return checkpoint(self.function, *args, **self.options, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        return self if instance is None else type(self)(self.function.__get__(instance, owner), **self.options)


def checkpoint(
    function: Callable[..., Any] | None = None,
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    context_fn: Callable[[], tuple] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool | None = None,
    respect_saved_tensors_hooks: bool | None = None,
    **kwargs: Any,
) -> Any:
    if function is None and not args:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        return functools.partial(
            _Checkpointed,
            use_reentrant=use_reentrant,
            preserve_rng_state=preserve_rng_state,
            context_fn=context_fn,
            determinism_check=determinism_check,
            debug=debug,
            early_stop=early_stop,
        )
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. use_reentrant=False is "
            "recommended, but if you need to preserve the current default behavior, you can pass use_reentrant=True.",
            stacklevel=2,
        )
        use_reentrant = True
    if not use_reentrant:
        return _without_reentrant(function, args, kwargs, context_fn, determinism_check, early_stop)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if context_fn is not noop_context_fn or debug is not False:
        raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
    return CheckpointFunction.apply(function, preserve_rng_state, *args)


def checkpoint_sequential(
    functions: torch.nn.Module | Sequence[Callable],
    segments: int,
    input: Tensor,
    use_reentrant: bool | None = None,
    **kwargs: Any,
) -> Tensor:
    """A chain of modules in `segments` checkpointed parts; the last part runs plainly."""
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))

    def part(start, end, functions):
        def forward(input):
            for j in range(start, end + 1):
                input = functions[j](input)
            return input

        return forward

    if isinstance(functions, torch.nn.Sequential):
        functions = list(functions.children())
    size = len(functions) // segments
    end = -1
    for start in range(0, size * (segments - 1), size):
        end = start + size - 1
        input = checkpoint(part(start, end, functions), input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return part(end + 1, len(functions) - 1, functions)(input)
