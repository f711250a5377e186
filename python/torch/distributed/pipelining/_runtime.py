"""Runs an order of actions over several stages of a rank (torch/distributed/pipelining/schedules.py, _PipelineScheduleRuntime)."""

from __future__ import annotations

import csv
from collections import Counter
from typing import TYPE_CHECKING

from torch.distributed.fsdp import FSDPModule

from . import _lowering
from ._actions import B, F, I, W, _Action, _ComputationType, ranks_of_stages
from ._schedule import _PipelineSchedule, batch_p2p, wait

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch.distributed.pipelining.microbatch import TensorChunkSpec


class PipelineScheduleMulti(_PipelineSchedule):
    """Several stages on each rank."""

    _style = "loop"

    def __init__(
        self,
        stages: list,
        n_microbatches: int,
        loss_fn: Callable | None = None,
        args_chunk_spec: tuple[TensorChunkSpec, ...] | None = None,
        kwargs_chunk_spec: dict[str, TensorChunkSpec] | None = None,
        output_merge_spec: dict[str, Any] | tuple[Any] | None = None,
        use_full_backward: bool | None = None,
        scale_grads: bool = True,
        backward_requires_autograd: bool = True,
        defer_pp_recv: bool = False,
    ) -> None:
        super().__init__(n_microbatches, loss_fn, args_chunk_spec, kwargs_chunk_spec, output_merge_spec, scale_grads)
        self._stages, self._num_stages = stages, stages[0].num_stages
        self.pp_group_size, self.rank = stages[0].group_size, stages[0].group_rank
        self._defer_pp_recv = defer_pp_recv
        self._set_ranks(ranks_of_stages(self.pp_group_size, self._num_stages, self._style))
        self.pipeline_order = {}

    def _set_ranks(self, rank_of):
        self.stage_index_to_group_rank = rank_of
        for stage in self._stages:
            stage.stage_index_to_group_rank = rank_of

    def _own_stages(self):
        return self._stages

    def _ranks(self):
        return range(self.pp_group_size)

    def _load_csv(self, filename, format="compute_only"):
        with open(filename, newline="") as file:
            orders = {rank: [_Action.from_str(s) for s in row] for rank, row in enumerate(csv.reader(file))}
        self._take(orders, format)

    def _take(self, orders, format="compute_only"):
        self.pipeline_order = orders
        rank_of = {part.stage_index: rank for rank in orders for a in orders[rank] if a for part in a.parts}
        if rank_of and len(rank_of) == self._num_stages:
            self._set_ranks(rank_of)
        if format == "compute_comms":
            self.pipeline_order_with_comms = orders
            return
        rank_of = self.stage_index_to_group_rank
        lowered = {
            rank: _lowering.with_reduction(_lowering.with_gathering(actions), self._n_microbatches)
            for rank, actions in orders.items()
        }
        lowered = _lowering.with_transfers(lowered, rank_of, self._num_stages)
        self.pipeline_order_with_comms = (
            _lowering.with_late_receives(lowered, rank_of) if self._defer_pp_recv else lowered
        )


class _PipelineScheduleRuntime(PipelineScheduleMulti):
    """Runs what the order says, transfers included."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._custom, self._backwards = {}, Counter()
        self._received_forward, self._received_backward = {}, {}
        self._unshards, self._unsharded = {}, set()
        self.pipeline_order_with_comms = None
        orders = self._orders()
        if orders is not None:
            self._take(orders)

    def _orders(self):
        return None

    def register_custom_function(self, computation_type: _ComputationType, custom_function: Any) -> None:
        self._custom[computation_type] = custom_function

    def _step_microbatches(self, arg_mbs, kwarg_mbs, target_mbs, losses, return_outputs, loss_kwargs):
        arg_mbs, kwarg_mbs = self._checked(arg_mbs, kwarg_mbs, target_mbs, losses)
        target = target_mbs[0] if target_mbs is not None else None
        self._initialize(self._stages, arg_mbs[0], kwarg_mbs[0], target, loss_kwargs)
        if self.pipeline_order_with_comms is None:
            raise AssertionError("Must call _prepare_schedule_with_comms() before calling _step_microbatches()")
        run = _Step(self, arg_mbs, kwarg_mbs, target_mbs, losses, return_outputs, loss_kwargs)
        self._backwards.clear()
        for action in self.pipeline_order_with_comms[self.rank]:
            if action.computation_type in self._custom:
                self._custom[action.computation_type](action, run)
                continue
            for part in action.parts:
                run.perform(part)
        while run.sends:
            wait(run.sends.pop())
        self._update_losses(self._stages, losses)


class _Step:
    """One step of a schedule: what its actions work on (`_PipelineContext`)."""

    def __init__(
        self,
        schedule: Any,
        arg_mbs: Any,
        kwarg_mbs: Any,
        target_mbs: Any,
        losses: Any,
        return_outputs: Any,
        loss_kwargs: Any,
    ) -> None:
        self.schedule_ref, self.arg_mbs, self.kwarg_mbs = schedule, arg_mbs, kwarg_mbs
        self.target_mbs, self.losses = target_mbs, losses
        self._return_outputs, self._loss_kwargs = return_outputs, loss_kwargs
        self.stages = {stage.stage_index: stage for stage in schedule._stages}
        self.sends = []

    def perform(self, action: Any) -> None:
        kind, schedule, number = action.computation_type, self.schedule_ref, action.microbatch_index
        stage = self.stages[action.stage_index]
        key = action.stage_index, number
        if kind == _ComputationType.SEND_F:
            self.sends.append(batch_p2p(stage.get_fwd_send_ops(number)))
        elif kind == _ComputationType.SEND_B:
            self.sends.append(batch_p2p(stage.get_bwd_send_ops(number)))
        elif kind == _ComputationType.RECV_F:
            schedule._received_forward[key] = batch_p2p(stage.get_fwd_recv_ops(number))
        elif kind == _ComputationType.RECV_B:
            schedule._received_backward[key] = batch_p2p(stage.get_bwd_recv_ops(number))
        elif kind == _ComputationType.UNSHARD:
            self._unshard(stage)
        elif kind == _ComputationType.RESHARD:
            self._reshard(stage)
        elif kind == F:
            self._forward(stage, number, key)
        elif kind in (B, I):
            self._backward(stage, number, key, kind == B)
        elif kind == W:
            self._gathered(stage)
            schedule._backwards[stage.stage_index] += 1
            last = schedule._backwards[stage.stage_index] == schedule._n_microbatches
            stage.backward_weight_one_chunk(number, last_backward=last)
        elif kind == _ComputationType.REDUCE_GRAD:
            stage.perform_reduce_grad(schedule._n_microbatches if schedule.scale_grads else 1)
        else:
            raise ValueError(f"{action=} is unknown or unsupported")

    def _unshard(self, stage):
        if isinstance(stage.submod, FSDPModule):
            parts = [module for module in stage.submod.modules() if isinstance(module, FSDPModule)]
            self.schedule_ref._unshards[stage.stage_index] = [part.unshard(async_op=True) for part in parts]

    def _gathered(self, stage):
        schedule, index = self.schedule_ref, stage.stage_index
        if isinstance(stage.submod, FSDPModule):
            for handle in schedule._unshards.pop(index, ()):
                handle.wait()
            schedule._unsharded.add(index)

    def _reshard(self, stage):
        if isinstance(stage.submod, FSDPModule):
            for module in stage.submod.modules():
                if isinstance(module, FSDPModule):
                    module.reshard()
            self.schedule_ref._unsharded.discard(stage.stage_index)

    def _forward(self, stage, number, key):
        schedule = self.schedule_ref
        self._gathered(stage)
        if not stage.is_first and stage.stage_index - 1 not in self.stages:
            wait(schedule._received_forward.pop(key))
        output = stage.forward_one_chunk(
            number, self.arg_mbs[number], self.kwarg_mbs[number], save_forward_output=self._return_outputs
        )
        schedule._maybe_compute_loss(stage, output, self.target_mbs, number, self._loss_kwargs)
        following = self.stages.get(stage.stage_index + 1)
        if following is not None:
            following.set_local_fwd_input(output, number)

    def _backward(self, stage, number, key, whole):
        schedule = self.schedule_ref
        self._gathered(stage)
        if not stage.is_last and stage.stage_index + 1 not in self.stages:
            wait(schedule._received_backward.pop(key))
        loss = schedule._maybe_get_loss(stage, number)
        last = False
        if whole:
            schedule._backwards[stage.stage_index] += 1
            last = schedule._backwards[stage.stage_index] == schedule._n_microbatches
        stage.backward_one_chunk(number, loss=loss, full_backward=whole, last_backward=last)
        before = self.stages.get(stage.stage_index - 1)
        if before is not None:
            before.set_local_bwd_input(stage.get_local_bwd_output(number), number)
