"""Schedules: GPipe and 1F1B with one stage on a rank, interleaved ones and those without bubbles with several (torch/distributed/pipelining/schedules.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _orders
from ._actions import _Action, _ComputationType  # for programs with orders of their own
from ._runtime import PipelineScheduleMulti, _PipelineScheduleRuntime
from ._schedule import _PipelineSchedule, batch_by_peer, batch_p2p, wait

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch.distributed.pipelining.microbatch import TensorChunkSpec


class PipelineScheduleSingle(_PipelineSchedule):
    """One stage on each rank."""

    def __init__(
        self,
        stage: Any,
        n_microbatches: int,
        loss_fn: Callable | None = None,
        args_chunk_spec: tuple[TensorChunkSpec, ...] | None = None,
        kwargs_chunk_spec: dict[str, TensorChunkSpec] | None = None,
        output_merge_spec: dict[str, Any] | tuple[Any] | None = None,
        scale_grads: bool = True,
    ) -> None:
        super().__init__(n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec, scale_grads)
        self._stage, self._num_stages = stage, stage.num_stages

    def _own_stages(self):
        return [self._stage]

    def _begin(self, arg_mbs, kwarg_mbs, target_mbs, losses, loss_kwargs):
        arg_mbs, kwarg_mbs = self._checked(arg_mbs, kwarg_mbs, target_mbs, losses)
        target = target_mbs[0] if target_mbs is not None else None
        self._initialize([self._stage], arg_mbs[0], kwarg_mbs[0], target, loss_kwargs)
        return arg_mbs, kwarg_mbs

    def _end(self, losses):
        self._update_losses([self._stage], losses)
        self._stage.perform_reduce_grad(self._n_microbatches if self.scale_grads else 1)


class _ScheduleForwardOnly(PipelineScheduleSingle):
    """Forward of all micro-batches."""

    def _step_microbatches(self, arg_mbs, kwarg_mbs, target_mbs, losses, return_outputs, loss_kwargs):
        if target_mbs is not None or losses is not None:
            raise RuntimeError("Forward-only schedule does not support loss computation")
        arg_mbs, kwarg_mbs = self._begin(arg_mbs, kwarg_mbs, target_mbs, losses, None)
        sends = []
        for i in range(self._n_microbatches):
            for works in batch_by_peer(self._stage.get_fwd_recv_ops(i)):
                wait(works)
            self._stage.forward_one_chunk(i, arg_mbs[i], kwarg_mbs[i])
            ops = self._stage.get_fwd_send_ops(i)
            sends += batch_by_peer(ops)
        for works in sends:
            wait(works)


class ScheduleGPipe(PipelineScheduleSingle):
    """All forwards, then all backwards."""

    def _step_microbatches(self, arg_mbs, kwarg_mbs, target_mbs, losses, return_outputs, loss_kwargs):
        arg_mbs, kwarg_mbs = self._begin(arg_mbs, kwarg_mbs, target_mbs, losses, loss_kwargs)
        stage, sends = self._stage, []
        for i in range(self._n_microbatches):
            for works in batch_by_peer(stage.get_fwd_recv_ops(i)):
                wait(works)
            output = stage.forward_one_chunk(i, arg_mbs[i], kwarg_mbs[i], save_forward_output=return_outputs)
            ops = stage.get_fwd_send_ops(i)
            sends += batch_by_peer(ops)
            self._maybe_compute_loss(stage, output, target_mbs, i, loss_kwargs)
        for works in sends:
            wait(works)
        grad_sends = []
        for i in range(self._n_microbatches):
            for works in batch_by_peer(stage.get_bwd_recv_ops(i)):
                wait(works)
            loss = self._maybe_get_loss(stage, i)
            stage.backward_one_chunk(i, loss=loss, last_backward=i == self._n_microbatches - 1)
            ops = stage.get_bwd_send_ops(i)
            grad_sends += batch_by_peer(ops)
        for works in grad_sends:
            wait(works)
        self._end(losses)


class Schedule1F1B(PipelineScheduleSingle):
    """As many forwards as there are stages from here to the last, then one backward and one forward in turn."""

    def __init__(self, stage: Any, n_microbatches: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(stage, n_microbatches, *args, **kwargs)
        if n_microbatches < self._num_stages:
            raise ValueError(
                f"Number of microbatches ({n_microbatches}) must be greater than or equal to the number of stages ({self._num_stages})."
            )

    def _step_microbatches(self, arg_mbs, kwarg_mbs, target_mbs, losses, return_outputs, loss_kwargs):
        arg_mbs, kwarg_mbs = self._begin(arg_mbs, kwarg_mbs, target_mbs, losses, loss_kwargs)
        stage, count = self._stage, self._n_microbatches
        warm_up = min(count, self._num_stages - stage.stage_index)
        forward = backward = 0
        send_work, fwd_sends = [], []
        for _ in range(warm_up):
            fwd_recvs = stage.get_fwd_recv_ops(forward)
            wait(batch_p2p(fwd_recvs))
            output = stage.forward_one_chunk(
                forward, arg_mbs[forward], kwarg_mbs[forward], save_forward_output=return_outputs
            )
            wait(send_work)
            fwd_sends = stage.get_fwd_send_ops(forward)
            if forward != warm_up - 1:
                # the last send of these goes with the first gradient that is received
                send_work = batch_p2p(fwd_sends)
            self._maybe_compute_loss(stage, output, target_mbs, forward, loss_kwargs)
            forward += 1
        while True:
            bwd_recvs = stage.get_bwd_recv_ops(backward)
            wait(batch_p2p(fwd_sends + bwd_recvs))
            loss = self._maybe_get_loss(stage, backward)
            stage.backward_one_chunk(backward, loss=loss, last_backward=backward == count - 1)
            bwd_sends = stage.get_bwd_send_ops(backward)
            backward += 1
            if forward == count:
                break
            fwd_recvs = stage.get_fwd_recv_ops(forward)
            wait(batch_p2p(bwd_sends + fwd_recvs))
            output = stage.forward_one_chunk(
                forward, arg_mbs[forward], kwarg_mbs[forward], save_forward_output=return_outputs
            )
            self._maybe_compute_loss(stage, output, target_mbs, forward, loss_kwargs)
            fwd_sends = stage.get_fwd_send_ops(forward)
            forward += 1
        send_work = batch_p2p(bwd_sends)
        while backward < count:
            bwd_recvs = stage.get_bwd_recv_ops(backward)
            wait(batch_p2p(bwd_recvs))
            loss = self._maybe_get_loss(stage, backward)
            stage.backward_one_chunk(backward, loss=loss, last_backward=backward == count - 1)
            wait(send_work)
            bwd_sends = stage.get_bwd_send_ops(backward)
            send_work = batch_p2p(bwd_sends)
            backward += 1
        wait(send_work)
        self._end(losses)


def _in_rounds(n_microbatches, ranks, name):
    rounds = max(1, n_microbatches // ranks)
    if n_microbatches % rounds:
        raise ValueError(
            f"{name} requires the number of microbatches to be a multiple of the number of rounds ({rounds}), "
            f"but got {n_microbatches}."
        )


class ScheduleLoopedBFS(_PipelineScheduleRuntime):
    """All micro-batches through one stage of a rank, then through the next."""

    def _orders(self):
        local = len(self._stages)
        return {r: _orders.looped_bfs(r, self.pp_group_size, local, self._n_microbatches) for r in self._ranks()}


class ScheduleInterleaved1F1B(_PipelineScheduleRuntime):
    """1F1B over several stages of a rank."""

    def _orders(self):
        local = len(self._stages)
        _in_rounds(self._n_microbatches, self.pp_group_size, "Interleaved 1F1B")
        return {r: _orders.interleaved(r, self.pp_group_size, local, self._n_microbatches) for r in self._ranks()}


class ScheduleInterleavedZeroBubble(_PipelineScheduleRuntime):
    """Interleaved, with gradients of weights where a rank would wait."""

    def _orders(self):
        local, ranks = len(self._stages), self.pp_group_size
        _in_rounds(self._n_microbatches, ranks, "Zero bubble")
        orders = {r: _orders.interleaved(r, ranks, local, self._n_microbatches, True) for r in self._ranks()}
        return _orders.with_bubbles(orders, local * ranks - 1)


class _VSchedule(_PipelineScheduleRuntime):
    _style = "v"

    def _two_stages(self):
        if len(self._stages) != 2:
            raise ValueError(f"ZBV requires exactly 2 stages per rank, but got {len(self._stages)}.")


class ScheduleZBVZeroBubble(_VSchedule):
    """Two stages of a rank, the second ones in reverse order."""

    def _orders(self):
        self._two_stages()
        return {r: _orders.zero_bubble_v(r, self.pp_group_size, self._n_microbatches) for r in self._ranks()}


class ScheduleDualPipeV(_VSchedule):
    """Two stages of a rank, the second ones in reverse order, a forward beside a backward."""

    def _orders(self):
        self._two_stages()
        if self._n_microbatches < self._num_stages:
            raise ValueError(
                "DualPipeV requires at least as many microbatches as stages, but got "
                f"{self._n_microbatches} microbatches and {self._num_stages} stages."
            )
        return {r: _orders.dual_pipe_v(r, self.pp_group_size, self._n_microbatches) for r in self._ranks()}


_CLASSES = {
    "1F1B": Schedule1F1B,
    "Interleaved1F1B": ScheduleInterleaved1F1B,
    "GPipe": ScheduleGPipe,
    "LoopedBFS": ScheduleLoopedBFS,
    "InterleavedZeroBubble": ScheduleInterleavedZeroBubble,
    "PipelineScheduleSingle": PipelineScheduleSingle,
    "PipelineScheduleMulti": PipelineScheduleMulti,
    "ZBVZeroBubble": ScheduleZBVZeroBubble,
    "DualPipeV": ScheduleDualPipeV,
}


def get_schedule_class(schedule_name: str) -> Any:
    by_name = {name.lower(): kind for name, kind in _CLASSES.items()}
    if schedule_name.lower() not in by_name:
        raise ValueError(f"Unknown schedule name '{schedule_name}'. The valid options are {list(_CLASSES)}")
    return by_name[schedule_name.lower()]
