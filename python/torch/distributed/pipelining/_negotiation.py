"""What stages tell each other before the first step: whether all shapes were given, and if not, the shapes (torch/distributed/pipelining/stage.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.distributed as dist
from torch.distributed import _exchange
from torch.distributed._world import _resolve
from torch.distributed.fsdp import FSDPModule
from torch.utils._pytree import tree_leaves

from ._backward import grads_of_inputs
from ._metadata import PipeliningMetadataError, TensorMeta, as_tuple, metas_of, metas_of_grads

if TYPE_CHECKING:
    from typing import Any


class Negotiation:
    """Part of PipelineStage."""

    def _same_rank(self, stage):
        return self.stage_index_to_group_rank[stage] == self.group_rank

    def _tell(self, stage, value, tensor):
        """Sends a tensor of one element, and beside it what it would hold."""
        dist.send(tensor, dst=self._global_rank_of(stage), group=self.group)
        _exchange.send(_resolve(self.group), self.stage_index_to_group_rank[stage], value)

    def _hear(self, stage, alone):
        tensor = torch.zeros(1, dtype=torch.int32, device=self.device)
        dist.recv(tensor, src=self._global_rank_of(stage), group=self.group)
        group = _resolve(self.group)
        peer = self.stage_index_to_group_rank[stage]
        return tensor, _exchange.receive(group, peer, alone, "the vote on static shapes of a pipeline")

    def vote(self, received: Any) -> tuple:
        """Whether this stage and all before it know their shapes; `received` is the answer of the stage before on this rank."""
        own = self._user_meta.inputs is not None and self._user_meta.outputs is not None
        ballot = torch.tensor([int(own)], dtype=torch.int32, device=self.device)
        if self.is_first:
            counted, static = ballot, own
        elif self._same_rank(self.stage_index - 1):
            counted, static = received[0] * ballot, received[1] and own
        else:
            counted, before = self._hear(self.stage_index - 1, own)
            counted = counted * ballot
            static = before and own
        if not self.is_last and not self._same_rank(self.stage_index + 1):
            self._tell(self.stage_index + 1, static, counted)
        return counted, static

    def hear_result(self, received: Any) -> tuple:
        """The last stage's count goes back to the first."""
        if self.is_last or self._same_rank(self.stage_index + 1):
            counted, static = received
        else:
            counted, static = self._hear(self.stage_index + 1, received[1])
        if not self.is_first and not self._same_rank(self.stage_index - 1):
            self._tell(self.stage_index - 1, static, counted)
        return counted, static

    # --- shapes by running the stage once

    def back_up_buffers(self) -> None:
        self._buffers = None
        if self._dynamic:
            self._buffers = [(b, b.detach().clone()) for _, b in self.submod.named_buffers(remove_duplicate=False)]

    def restore_buffers(self) -> None:
        if self._buffers is not None:
            with torch.no_grad():
                for buffer, saved in self._buffers:
                    buffer.copy_(saved)
        self._buffers = self._forward_of_inference = None
        for module in self.submod.modules():
            if isinstance(module, FSDPModule):
                module.reshard()
                for param in module.parameters():
                    param.grad = None

    def _receive_metas(self, stage):
        group = _resolve(self.group)
        if group.size() > 1 and not _exchange.together():
            raise PipeliningMetadataError(
                f"Stage {self.stage_index} needs the shapes that stage {stage} sends; "
                "give input_args and output_args to PipelineStage, or run all ranks"
            )
        objects = [None]
        dist.recv_object_list(
            objects, src=self._global_rank_of(stage), group=self.group, device=self.device, use_batch=True
        )
        return objects[0]

    def _send_metas(self, metas, stage):
        dist.send_object_list(
            [metas], dst=self._global_rank_of(stage), group=self.group, device=self.device, use_batch=True
        )

    def _infer_forward(self, args, kwargs, has_backward):
        if self.is_first:
            tensors = as_tuple(args)
            self._stage_meta.inputs = metas_of(tensors)
            inputs = tuple(t.detach().requires_grad_(t.requires_grad) for t in tensors)
        else:
            metas = args if self._same_rank(self.stage_index - 1) else self._receive_metas(self.stage_index - 1)
            self._stage_meta.inputs = metas
            inputs = tuple(meta.like(self.device) for meta in metas)
        own_kwargs = {
            k: v.detach().requires_grad_(v.requires_grad) if isinstance(v, torch.Tensor) else v
            for k, v in (kwargs or {}).items()
        }
        with torch.enable_grad() if has_backward else torch.no_grad():
            outputs = self.submod(*inputs, **own_kwargs)
        outputs = as_tuple(outputs)
        self._stage_meta.outputs = metas_of(outputs)
        self._forward_of_inference = (
            outputs,
            inputs,
            tuple(v for v in tree_leaves(own_kwargs) if isinstance(v, torch.Tensor)),
        )
        if self.is_last or self._same_rank(self.stage_index + 1):
            return self._stage_meta.outputs
        self._send_metas(self._stage_meta.outputs, self.stage_index + 1)
        return None

    def _infer_backward(self, loss_fn, target, received, loss_kwargs):
        outputs, inputs, others = self._forward_of_inference
        differentiable = list(inputs) + list(others)
        self._forward_of_inference = None
        meta = self._stage_meta
        if self.is_last:
            if loss_fn is None or target is None:
                raise PipeliningMetadataError(f"Stage {self.stage_index}: loss_fn and target required for last stage")
            own_target = target.detach().requires_grad_(target.requires_grad)
            loss = loss_fn(outputs[0] if len(outputs) == 1 else outputs, own_target, **(loss_kwargs or {}))
            meta.output_grads = None
            grads = grads_of_inputs([loss], differentiable, allow_unused=True)
        else:
            same = self._same_rank(self.stage_index + 1)
            meta.output_grads = received if same else self._receive_metas(self.stage_index + 1)
            roots, root_grads = [], []
            for output, grad_meta in zip(outputs, meta.output_grads, strict=True):
                if output.requires_grad:
                    roots.append(output)
                    root_grads.append(
                        torch.ones(grad_meta.shape, dtype=grad_meta.dtype, device=self.device) if grad_meta else None
                    )
            if roots:
                grads = grads_of_inputs(roots, differentiable, root_grads, allow_unused=True)
                roots.clear()
                root_grads.clear()
                differentiable.clear()
            else:
                grads = (None,) * len(differentiable)
        metas = []
        for grad, value in zip(grads, inputs):
            if grad is not None:
                metas.append(TensorMeta.of(grad))
            else:
                metas.append(metas_of_grads((TensorMeta.of(value),))[0])
        meta.input_grads = tuple(metas)
        if self.is_first or self._same_rank(self.stage_index - 1):
            return meta.input_grads
        self._send_metas(meta.input_grads, self.stage_index - 1)
        return None
