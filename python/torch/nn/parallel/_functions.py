"""The differentiable copies between GPUs of one process."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import torch

from ...autograd import Function
from . import comm

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


class Broadcast(Function):
    @staticmethod
    def forward(ctx: Any, target_gpus: Sequence, *inputs: Any) -> tuple:
        if not all(i.device.type != "cpu" for i in inputs):
            raise AssertionError("Broadcast function not implemented for CPU tensors")
        target_gpus = [torch.cuda._devices.ordinal(x) for x in target_gpus]
        ctx.target_gpus = target_gpus
        if len(inputs) == 0:
            return ()
        ctx.num_inputs = len(inputs)
        ctx.input_device = inputs[0].get_device()
        outputs = comm.broadcast_coalesced(inputs, ctx.target_gpus)
        fixed = [output[idx] for idx, needs in enumerate(ctx.needs_input_grad[1:]) if not needs for output in outputs]
        ctx.mark_non_differentiable(*fixed)
        return tuple(tensor for output in outputs for tensor in output)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        return (None,) + ReduceAddCoalesced.apply(ctx.input_device, ctx.num_inputs, *grad_outputs)


class ReduceAddCoalesced(Function):
    @staticmethod
    def forward(ctx: Any, destination: Any, num_inputs: Any, *grads: Any) -> Any:
        ctx.target_gpus = [grads[i].get_device() for i in range(0, len(grads), num_inputs)]
        grads_ = [grads[i : i + num_inputs] for i in range(0, len(grads), num_inputs)]
        return comm.reduce_add_coalesced(grads_, destination)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        return (None, None) + Broadcast.apply(ctx.target_gpus, *grad_outputs)


class Gather(Function):
    @staticmethod
    def forward(ctx: Any, target_device: Any, dim: int, *inputs: Any) -> Any:
        if not all(i.device.type != "cpu" for i in inputs):
            raise AssertionError("Gather function not implemented for CPU tensors")
        target = str(target_device)
        ctx.target_device = "cpu" if target == "cpu" else torch.cuda._devices.ordinal(target_device)
        ctx.dim = dim
        ctx.input_gpus = tuple(i.get_device() for i in inputs)
        ctx.unsqueezed_scalar = all(t.dim() == 0 for t in inputs) and dim == 0
        if ctx.unsqueezed_scalar:
            inputs = tuple(t.view(1) for t in inputs)
            warnings.warn("Was asked to gather along dimension 0, but all input tensors were scalars; will instead unsqueeze and return a vector.", stacklevel=2)  # fmt: skip
        ctx.input_sizes = tuple(i.size(ctx.dim) for i in inputs)
        return comm.gather(inputs, ctx.dim, ctx.target_device)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Any:
        scattered_grads = Scatter.apply(ctx.input_gpus, ctx.input_sizes, ctx.dim, grad_output)
        if ctx.unsqueezed_scalar:
            scattered_grads = tuple(g[0] for g in scattered_grads)
        return (None, None) + scattered_grads


class Scatter(Function):
    @staticmethod
    def forward(ctx: Any, target_gpus: Sequence, chunk_sizes: Sequence[int], dim: int, input: Tensor) -> Any:
        target_gpus = [torch.cuda._devices.ordinal(x) for x in target_gpus]
        ctx.dim = dim
        ctx.input_device = input.get_device() if input.device.type != "cpu" else -1
        streams = None
        if torch.cuda.is_available() and ctx.input_device == -1:
            streams = [_get_stream(device) for device in target_gpus]
        outputs = comm.scatter(input, target_gpus, chunk_sizes, ctx.dim, streams)
        if streams is not None:
            for output in outputs:
                output.record_stream(torch.cuda.current_stream(output.get_device()))
        return outputs

    @staticmethod
    def backward(ctx: Any, *grad_output: Any) -> tuple:
        return None, None, None, Gather.apply(ctx.input_device, ctx.dim, *grad_output)


_streams = {}


def _get_stream(device):
    """A background stream for copies from the host, made once."""
    index = torch.cuda._devices.ordinal(device)
    if index not in _streams:
        _streams[index] = torch.cuda.Stream(index)
    return _streams[index]
