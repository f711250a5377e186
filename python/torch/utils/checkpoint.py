"""Activation checkpointing: the region's activations are dropped after forward and made again when backward needs them."""

from __future__ import annotations

import contextlib
import functools
import warnings
import weakref
from typing import TYPE_CHECKING

import torch

from .. import _C
from ._checkpoint_arguments import (
    DefaultDeviceType,
    _autocast_states,
    _device_type,
    check_backward_validity,
    detach_variable,
    get_device_states,
    set_device_states,
)
from ._checkpoint_selective import (
    CheckpointPolicy,
    SelectiveCheckpointContext,
    create_selective_checkpoint_contexts,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, NoReturn

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


class CheckpointError(RuntimeError):
    """The recomputation did not do what the forward did."""


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


class _StopRecomputationError(Exception):
    """Everything that backward needs is there again."""


class _SaveInputs(torch.autograd.Function):
    """A node outside of any graph that holds the region's tensors as saved tensors, so that outer hooks see them."""

    @staticmethod
    def forward(ctx: Any, keep: Any, dummy: Tensor, *tensors: Tensor) -> Tensor:
        keep.append(ctx)
        ctx.save_for_backward(*tensors)
        return torch.empty((0,))

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> NoReturn:
        raise AssertionError("Did not expect to backward on this graph")


class _Holder:
    """Stands for one saved tensor of the region. `found` has what each backward's recomputation made of it."""

    __slots__ = ("found", "__weakref__")

    def __init__(self) -> None:
        self.found = {}


_USED = object()


class _Frame:
    """One checkpointed call: how to run it again, and the holders of what it saved."""

    def __init__(self, recompute: Callable, early_stop: bool, metadata: Callable) -> None:
        self.recompute = recompute
        self.early_stop = early_stop
        self.metadata = metadata
        self.holders = []
        self.metadatas = []
        self.counts = {}
        self.recomputed = set()
        self.forward_completed = False
        self.ignore_mismatch = False

    def save_inputs(self, args: tuple) -> None:
        self.tensor_indices = [i for i, arg in enumerate(args) if isinstance(arg, torch.Tensor)]
        self.args = [None if isinstance(arg, torch.Tensor) else arg for arg in args]
        keep = []
        self.saver = _SaveInputs.apply(
            keep, torch.empty((0,), requires_grad=True), *[args[i] for i in self.tensor_indices]
        )
        self.context = keep[0]

    def inputs(self) -> list:
        args = list(self.args)
        for i, tensor in zip(self.tensor_indices, self.context.saved_tensors):
            args[i] = tensor
        return args

    def check(self, task: int) -> None:
        if self.ignore_mismatch:
            return
        count = self.counts.get(task, 0)
        if len(self.holders) != count:
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.\n"
                f"Number of tensors saved during forward: {len(self.holders)}\n"
                f"Number of tensors saved during recomputation: {count}.\n"
            )
        different = []
        for i, weak in enumerate(self.holders):
            holder = weak()
            if holder is None:
                continue
            now = self.metadata(holder.found[task])
            if now != self.metadatas[i]:
                different.append(
                    f"tensor at position {i}:\nsaved metadata: {self.metadatas[i]}\nrecomputed metadata: {now}\n"
                )
        if different:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the forward pass.\n"
                + "".join(different)
            )


def _shape_and_type(x):
    return {"shape": x.shape, "dtype": x.dtype, "device": x.device}


_METADATA = {"default": _shape_and_type, "none": lambda _: None}


def _recomputation_hooks(weak_frame, task):
    """While the region runs again: what it saves goes into the holders, until all are served."""

    def pack(x):
        x = x.detach() if x.requires_grad else x
        frame = weak_frame()
        i = frame.counts.get(task, 0)
        frame.counts[task] = i + 1
        if i >= len(frame.holders):
            if not frame.forward_completed:
                frame.ignore_mismatch = True
                return x
            raise CheckpointError(
                "torch.utils.checkpoint: trying to save more tensors during recomputation than during the original forward pass.\n"
            )
        holder = frame.holders[i]()
        if holder is not None:
            holder.found[task] = x
        if frame.early_stop and i + 1 == len(frame.holders):
            raise _StopRecomputationError
        return x

    return torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x)


def _forward_hooks(frame):
    """While the region runs first: a holder is saved in place of every tensor."""

    def pack(x):
        holder = _Holder()
        frame.holders.append(weakref.ref(holder))
        frame.metadatas.append(frame.metadata(x))
        return holder

    def unpack(holder):
        task = _C.graph_task()
        if task not in frame.recomputed:
            args = frame.inputs()
            try:
                with _recomputation_hooks(weakref.ref(frame), task), torch.enable_grad():
                    frame.recompute(*args)
            except _StopRecomputationError:
                pass
            frame.recomputed.add(task)
            frame.check(task)
        found = holder.found.get(task)
        if found is _USED:
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. "
                "If you are calling ctx.saved_tensors in backward, make sure to do so only once. "
                "Otherwise please open an issue with details on your use case."
            )
        holder.found[task] = _USED
        return found

    return torch.autograd.graph.saved_tensors_hooks(pack, unpack)


def _without_reentrant(function, args, kwargs, context_fn, determinism_check, early_stop):
    if determinism_check not in _METADATA:
        raise ValueError(f"determinism_check should be one of {list(_METADATA)}, but got {determinism_check}")
    forward_context, recompute_context = context_fn()
    (device, on_device), (cpu, on_cpu) = _autocast_states(_device_type(args))

    def recompute(*inputs):
        with torch.amp.autocast(device, **on_device), torch.amp.autocast(cpu, **on_cpu), recompute_context:
            function(*inputs, **kwargs)

    frame = _Frame(recompute, early_stop if _early_stop is None else _early_stop, _METADATA[determinism_check])
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
    early_stop: bool = True,
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
