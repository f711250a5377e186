"""A stage of a pipeline: buffers for what it receives, forward and backward of a micro-batch, what it sends (torch/distributed/pipelining/stage.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FSDPModule
from torch.nn.parallel import DistributedDataParallel
from torch.utils._pytree import tree_leaves

from ..tensor import DTensor
from ._backward import stage_backward, stage_backward_input, stage_backward_weight
from ._metadata import PipeliningMetadataError, StageMeta, as_tuple, metas_of_grads
from ._negotiation import Negotiation

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor
    from torch.distributed._nccl import ProcessGroup


class _RecvInfo:
    """A tensor that a stage receives for a micro-batch, and its buffer; a root argument comes from the program."""

    def __init__(
        self, input_name: str, source: int | None, buffer: Tensor | None, tensor_meta: Any, is_root_arg: bool = False
    ) -> None:
        self.input_name, self.source, self.buffer = input_name, source, buffer
        self.tensor_meta, self.is_root_arg = tensor_meta, is_root_arg


def _results(output):
    if type(output) is list:
        output = tuple(output)
    return output if type(output) is tuple else (output,)


def _local(tensor, detach=False):
    tensor = tensor.detach() if detach else tensor
    return tensor.to_local() if isinstance(tensor, DTensor) else tensor


def _received(buffer):
    torch._C.tag(buffer, "communication")
    return buffer


class PipelineStage(Negotiation):
    """One stage; receive buffers of all micro-batches are made at the first step and kept."""

    def __init__(
        self,
        submodule: torch.nn.Module,
        stage_index: int,
        num_stages: int,
        device: torch.device,
        input_args: Tensor | tuple[Tensor, ...] | None = None,
        output_args: Tensor | tuple[Tensor, ...] | None = None,
        output_grads: Tensor | tuple[Tensor | None, ...] | None = None,
        input_grads: Tensor | tuple[Tensor | None, ...] | None = None,
        group: ProcessGroup | None = None,
        dw_builder: Callable[[], Callable[..., None]] | None = None,
        get_mesh: Any = None,
    ) -> None:
        if stage_index >= num_stages:
            raise ValueError(f"Stage index {stage_index} is out of range of {num_stages}")
        self.submod, self.stage_index, self.num_stages = submodule, stage_index, num_stages
        self.device, self.group, self.dw_builder = torch.device(device), group, dw_builder
        self.group_rank, self.group_size = dist.get_rank(group), dist.get_world_size(group)
        if self.group_size > num_stages:
            raise RuntimeError(
                f"Pipeline group size {self.group_size} cannot be larger than number of stages {num_stages}"
            )
        self.fwd_cache, self.bwd_cache, self.output_chunks = {}, {}, []
        self.backward_state, self.dw_runner = {}, {}
        self.args_recv_info, self.grad_recv_info, self.act_send_info = {}, {}, {}
        self.grad_send_info = None
        self.has_backward, self.chunks = False, None
        self.log_prefix = f"[Stage {stage_index}]"
        self.stage_index_to_group_rank = {i: i % self.group_size for i in range(num_stages)}
        self._stage_meta = StageMeta()
        self._user_meta = StageMeta(
            as_tuple(input_args), as_tuple(output_args), as_tuple(input_grads, True), as_tuple(output_grads, True)
        )
        self._dynamic = None
        self._forward_of_inference = None

    @property
    def is_first(self) -> Any:
        return self.stage_index == 0

    @property
    def is_last(self) -> Any:
        return self.stage_index == self.num_stages - 1

    def _global_rank_of(self, stage):
        group = self.group or dist.distributed_c10d._get_default_group()
        return dist.get_global_rank(group, self.stage_index_to_group_rank[stage])

    # --- buffers

    def _make_forward_buffers(self, micro_batches):
        for i in range(micro_batches):
            self.args_recv_info[i] = tuple(
                _RecvInfo(f"root_input_{k}", None, None, meta, is_root_arg=True)
                if self.is_first
                else _RecvInfo(
                    f"recv_for_{self.stage_index}_from_{self.stage_index - 1}",
                    self.stage_index - 1,
                    _received(meta.empty(self.device)),
                    meta,
                )
                for k, meta in enumerate(self._stage_meta.inputs)
            )
        following = [] if self.is_last else [self.stage_index + 1]
        self.act_send_info = {k: following for k in range(len(self._stage_meta.outputs))}

    def _make_backward_buffers(self, micro_batches):
        self.chunks = micro_batches
        for i in range(micro_batches):
            self.grad_recv_info[i] = tuple(
                _RecvInfo(
                    f"recv_grad_for_{self.stage_index}_from_{to[0]}",
                    to[0],
                    _received(meta.empty(self.device)) if meta else None,
                    meta,
                )
                for to, meta in zip(self.act_send_info.values(), () if self.is_last else self._stage_meta.output_grads)
            )

    # --- what is sent and received

    def _receives(self, infos):
        return [
            dist.P2POp(dist.irecv, info.buffer, self._global_rank_of(info.source), self.group)
            for info in infos
            if not info.is_root_arg and info.buffer is not None
        ]

    def get_fwd_recv_ops(self, fwd_chunk_id: int) -> Any:
        return self._receives(self.args_recv_info[fwd_chunk_id])

    def get_bwd_recv_ops(self, bwd_chunk_id: int) -> Any:
        if not self.has_backward or self.is_last:
            return []
        return self._receives(self.grad_recv_info[bwd_chunk_id])

    def get_fwd_send_ops(self, fwd_chunk_id: int) -> Any:
        outputs, _ = self.fwd_cache[fwd_chunk_id]
        ops = []
        for i, output in enumerate(outputs):
            for stage in self.act_send_info[i]:
                sent = _local(output, detach=True)
                ops.append(dist.P2POp(dist.isend, sent, self._global_rank_of(stage), self.group))
        return ops

    def get_bwd_send_ops(self, bwd_chunk_id: int) -> Any:
        if not self.has_backward or self.is_first:
            return []
        if self.grad_send_info is None:
            self.grad_send_info = [None if info.is_root_arg else info.source for info in self.args_recv_info[0]]
        ops = []
        gradients = self.bwd_cache.pop(bwd_chunk_id)
        for i, (grad, stage) in enumerate(zip(gradients, self.grad_send_info, strict=True)):
            if stage is None:
                continue
            meta = self._stage_meta.input_grads[i]
            if meta is None:
                if grad is not None:
                    raise PipeliningMetadataError(
                        f"Stage {self.stage_index} chunk {bwd_chunk_id} input {i}: "
                        "backward produced a gradient, but its metadata is None, so the previous stage has no buffer."
                    )
                continue
            sent = _local(grad) if grad is not None else meta.empty(self.device).zero_()
            ops.append(dist.P2POp(dist.isend, sent, self._global_rank_of(stage), self.group))
        return ops

    # between two stages of one rank

    def set_local_fwd_input(self, prev_stage_outputs: Any, mb_index: int) -> None:
        for info, tensor in zip(self.args_recv_info[mb_index], _results(prev_stage_outputs), strict=True):
            info.buffer = _local(tensor, detach=True)

    def get_local_bwd_output(self, mb_index: int) -> Any:
        return self.bwd_cache.pop(mb_index)

    def set_local_bwd_input(self, next_stage_bwd_outputs: Any, mb_index: int) -> None:
        for info, tensor in zip(self.grad_recv_info[mb_index], next_stage_bwd_outputs, strict=True):
            if tensor is not None:
                info.buffer = _local(tensor)
            elif info.buffer is not None:
                info.buffer.zero_()

    def clear_runtime_states(self) -> None:
        self.fwd_cache.clear()
        self.output_chunks.clear()
        for infos in self.args_recv_info.values():
            for info in infos:
                if not info.is_root_arg and info.buffer is not None:
                    info.buffer.grad = None

    # --- computing

    def _received(self, chunk):
        values = []
        for info in self.args_recv_info[chunk]:
            needs = info.tensor_meta.requires_grad and self.has_backward and torch.is_grad_enabled()
            values.append(info.buffer.requires_grad_(needs))
        return tuple(values)

    def forward_one_chunk(
        self, fwd_chunk_id: int, args: Any, kwargs: dict | None = None, save_forward_output: bool = True
    ) -> Any:
        args = args if self.is_first else self._received(fwd_chunk_id)
        kwargs = kwargs or {}
        if isinstance(self.submod, DistributedDataParallel):
            with self.submod.no_sync():
                output = self.submod(*args, **kwargs)
        else:
            output = self.submod(*args, **kwargs)
        if self.is_last and save_forward_output:
            self.output_chunks.append(output)
        self.fwd_cache[fwd_chunk_id] = _results(output), tree_leaves(args) + tree_leaves(kwargs)
        return output

    def backward_one_chunk(
        self, bwd_chunk_id: int, loss: Any = None, full_backward: bool = True, last_backward: bool = False
    ) -> None:
        if not self.has_backward:
            return
        stage_output, inputs = self.fwd_cache.pop(bwd_chunk_id)
        if self.is_last:
            root, root_grads = loss, None
        else:
            root, root_grads = stage_output, tuple(info.buffer for info in self.grad_recv_info[bwd_chunk_id])
        grads = ()
        if self.dw_builder or full_backward:
            grads = self._run_backward(last_backward, stage_backward, root, root_grads, inputs)
            if self.dw_builder and full_backward:
                self.dw_builder()()
            elif self.dw_builder:
                self.dw_runner[bwd_chunk_id] = self.dw_builder()
        else:
            groups = None
            if not self.is_first:
                if isinstance(root, torch.Tensor):
                    root = (root,)
                grads, groups = self._run_backward(
                    last_backward, stage_backward_input, root, root_grads, inputs, self.submod.parameters()
                )
            self.backward_state[bwd_chunk_id] = inputs, groups, root, root_grads
            self.dw_runner[bwd_chunk_id] = lambda: None
        self.bwd_cache[bwd_chunk_id] = grads[: len(self._stage_meta.inputs)]
        if self.is_last and not self.is_first:
            for t in stage_output:
                if not t._is_view():
                    t.detach_()

    def backward_weight_one_chunk(self, bwd_chunk_id: int, last_backward: bool = False) -> None:
        if not self.has_backward:
            return
        runner = self.dw_runner.pop(bwd_chunk_id)
        if self.dw_builder is not None:
            runner()
            return
        inputs, groups, root, root_grads = self.backward_state.pop(bwd_chunk_id)
        if self.stage_index != 0:
            self._run_backward(last_backward, stage_backward_weight, self.submod.parameters(), groups)
        else:
            self._run_backward(last_backward, stage_backward, root, root_grads, inputs)

    def _run_backward(self, last, function, *arguments):
        """Gradients of a module that communicates are reduced with the last micro-batch only."""
        module = self.submod
        if isinstance(module, DistributedDataParallel):
            if not last:
                with module.no_sync():
                    return function(*arguments)
            module.reducer.prepare_for_backward([t for t in tree_leaves(arguments[0]) if isinstance(t, torch.Tensor)])
        elif isinstance(module, FSDPModule):
            module.set_is_last_backward(False)
            module.set_reshard_after_backward(False)
            module.set_requires_gradient_sync(False)
        return function(*arguments)

    def perform_reduce_grad(self, grad_scale_factor: Any) -> None:
        module = self.submod
        if isinstance(module, FSDPModule):
            module.set_is_last_backward(True)
            module.set_reshard_after_backward(True)
            module.set_requires_gradient_sync(True)
            root = module._get_fsdp_state()
            for state in root.shared.all_states:
                for group in state.groups:
                    group.post_backward()
            root._root_post_backward()
        if grad_scale_factor != 1:
            for param in module.parameters():
                if param.grad is not None:
                    param.grad.div_(grad_scale_factor)

    # --- shapes

    def prepare_forward(self, micro_batches: int, args: Any, kwargs: dict, has_backward: Any) -> Any:
        passed_on = None
        if self._dynamic:
            passed_on = self._infer_forward(args, kwargs, has_backward)
        else:
            self._stage_meta.inputs, self._stage_meta.outputs = self._user_meta.inputs, self._user_meta.outputs
        self._make_forward_buffers(micro_batches)
        return passed_on

    def prepare_backward(self, micro_batches: int, loss_fn: Any, target: Any, received: Any, loss_kwargs: Any) -> Any:
        passed_on = None
        meta, user_meta = self._stage_meta, self._user_meta
        if self._dynamic:
            passed_on = self._infer_backward(loss_fn, target, received, loss_kwargs)
        else:
            meta.input_grads = user_meta.input_grads or metas_of_grads(meta.inputs)
            meta.output_grads = user_meta.output_grads or metas_of_grads(meta.outputs)
        self._make_backward_buffers(micro_batches)
        return passed_on
