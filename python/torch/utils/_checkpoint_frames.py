"""What checkpoint(use_reentrant=False) keeps of a region in place of its tensors, and how it runs the region again."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

import torch

from .. import _C

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from torch import Tensor


class CheckpointError(RuntimeError):
    """The recomputation did not do what the forward did."""

    __module__ = "torch.utils.checkpoint"


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
