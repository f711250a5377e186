"""What all schedules share: splitting a batch, losses, the first step's preparations, and transfers (torch/distributed/pipelining/schedules.py)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

from .microbatch import TensorChunkSpec, merge_chunks, split_args_kwargs_into_chunks, split_tensor

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


def batch_p2p(ops: Any) -> Any:
    """Issues sends and receives, together where they are mixed: a batch keeps none of its tensors."""
    if not ops:
        return []
    by_group = defaultdict(list)
    for op in ops:
        by_group[op.group.group_name].append(op)
    if len(by_group) > 1:
        return [work for _, own in sorted(by_group.items()) for work in batch_p2p(own)]
    kinds = {op.op for op in ops}
    if len(kinds) > 1:
        return dist.batch_isend_irecv(ops)
    key = "group_dst" if kinds == {dist.isend} else "group_src"
    works = [op.op(op.tensor, group=op.group, tag=op.tag, **{key: op.group_peer}) for op in ops]
    return [work for work in works if work is not None]


def batch_by_peer(ops: Any) -> list:
    by_peer = defaultdict(list)
    for op in ops:
        by_peer[op.peer].append(op)
    return [batch_p2p(own) for _, own in sorted(by_peer.items())]


def wait(works: Any) -> None:
    for work in works:
        work.wait()


class _PipelineSchedule:
    """A batch as micro-batches through the stages of a rank."""

    def __init__(
        self,
        n_microbatches: int,
        loss_fn: Callable[..., Tensor] | None = None,
        args_chunk_spec: tuple[TensorChunkSpec, ...] | None = None,
        kwargs_chunk_spec: dict[str, TensorChunkSpec] | None = None,
        output_merge_spec: dict[str, Any] | tuple[Any] | None = None,
        scale_grads: bool = True,
    ) -> None:
        self._n_microbatches, self._loss_fn, self.scale_grads = n_microbatches, loss_fn, scale_grads
        self._args_chunk_spec, self._kwargs_chunk_spec = args_chunk_spec, kwargs_chunk_spec
        self._output_merge_spec = output_merge_spec
        self._has_backward = loss_fn is not None
        self._internal_losses = []
        self._forward_ready = self._backward_ready = False

    def _own_stages(self):
        raise NotImplementedError

    def step(
        self,
        *args: Any,
        target: Any = None,
        losses: list | None = None,
        return_outputs: bool = True,
        loss_kwargs: dict[str, Any] | None = None,
        arg_mbs: Any = None,
        kwarg_mbs: Any = None,
        target_mbs: Any = None,
        **kwargs: Any,
    ) -> Any:
        if self._has_backward and not torch.is_grad_enabled():
            raise RuntimeError(
                "step() requires gradients to be enabled for backward computation; "
                "it should not be used under torch.no_grad() context. Please call eval() instead."
            )
        stages = self._own_stages()
        for stage in stages:
            stage.has_backward = self._has_backward
        for stage in stages:
            stage.clear_runtime_states()
        args, kwargs, target = self._micro_batches(args, kwargs, target, arg_mbs, kwarg_mbs, target_mbs)
        self._step_microbatches(args, kwargs, target, losses, return_outputs, loss_kwargs)
        for stage in stages:
            if stage.is_last and return_outputs:
                return merge_chunks(stage.output_chunks, self._output_merge_spec)
        return None

    def eval(self, *args: Any, **kwargs: Any) -> Any:
        before = self._has_backward
        try:
            self._has_backward = False
            return self.step(*args, **kwargs)
        finally:
            self._has_backward = before

    def _micro_batches(self, args, kwargs, target, arg_mbs, kwarg_mbs, target_mbs):
        count = self._n_microbatches
        if arg_mbs is None and kwarg_mbs is None and target_mbs is None:
            if args or kwargs:
                split = split_args_kwargs_into_chunks(
                    args, kwargs, count, self._args_chunk_spec, self._kwargs_chunk_spec
                )
            else:
                split = [()] * count, [{}] * count
            targets = list(split_tensor(target, TensorChunkSpec(0), count)) if target is not None else None
            return *split, targets
        if args or kwargs or target is not None:
            raise ValueError(
                "When using pre-split inputs, pass them through arg_mbs=..., kwarg_mbs=... and target_mbs=... only."
            )
        return *self._checked(arg_mbs, kwarg_mbs, target_mbs, None), target_mbs

    def _checked(self, arg_mbs, kwarg_mbs, target_mbs, losses):
        for name, chunks in (("arg_mbs", arg_mbs), ("kwarg_mbs", kwarg_mbs), ("target_mbs", target_mbs)):
            if chunks is None:
                continue
            if not isinstance(chunks, list):
                raise TypeError(f"{name} must be a list but got a {type(chunks)}")
            if len(chunks) != self._n_microbatches:
                raise ValueError(f"Expecting {self._n_microbatches} {name} but got {len(chunks)}")
        if losses is not None and not isinstance(losses, list):
            raise TypeError(f"losses must be a list but got a {type(losses)}")
        return (
            arg_mbs if arg_mbs is not None else [()] * self._n_microbatches,
            kwarg_mbs if kwarg_mbs is not None else [{}] * self._n_microbatches,
        )

    # --- losses

    def _maybe_compute_loss(self, stage, output, target_mbs, mb_index, loss_kwargs=None):
        if stage.is_last and self._loss_fn is not None:
            self._internal_losses.append(self._loss_fn(output, target_mbs[mb_index], **(loss_kwargs or {})))

    def _maybe_get_loss(self, stage, mb_index):
        there = 0 <= mb_index < len(self._internal_losses)
        if stage.is_last and self._loss_fn is not None and there:
            return self._internal_losses[mb_index]
        if self._internal_losses and not there:
            raise RuntimeError(
                f"Loss for microbatch {mb_index} is not available. "
                f"Available losses for microbatches: {self._internal_losses}"
            )
        return None

    def _update_losses(self, stages, losses):
        if any(stage.is_last for stage in stages) and losses is not None:
            if len(self._internal_losses) != self._n_microbatches:
                raise RuntimeError(f"Expecting {self._n_microbatches} losses but got {len(self._internal_losses)}")
            losses.clear()
            losses.extend(self._internal_losses)
        self._internal_losses.clear()

    # --- the first step

    def _initialize(self, stages, args, kwargs, target, loss_kwargs):
        if self._forward_ready and self._has_backward != self._backward_ready:
            self._forward_ready = self._backward_ready = False
        forward, backward = not self._forward_ready, self._has_backward and not self._backward_ready
        if not forward and not backward:
            return
        if forward:
            self._agree_on_shapes(stages)
        for stage in stages:
            stage.back_up_buffers()
        try:
            if forward:
                passed_on = None
                for stage in stages:
                    passed_on = stage.prepare_forward(
                        self._n_microbatches, args if stage.is_first else passed_on, kwargs, self._has_backward
                    )
                self._forward_ready = True
            if backward:
                passed_on = None
                for stage in reversed(stages):
                    passed_on = stage.prepare_backward(
                        self._n_microbatches, self._loss_fn, target, passed_on, loss_kwargs
                    )
                self._backward_ready = True
        finally:
            for stage in stages:
                stage.restore_buffers()

    def _agree_on_shapes(self, stages):
        counted = None
        for stage in stages:
            counted = stage.vote(counted)
        result = counted
        for stage in reversed(stages):
            result = stage.hear_result(result)
            stage._dynamic = not result[1]
