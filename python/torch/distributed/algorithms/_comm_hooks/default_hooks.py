"""Functions that a program may put in place of the reduction of gradients (torch/distributed/algorithms/_comm_hooks/default_hooks.py)."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor
    from torch.distributed._nccl import ProcessGroup


class DefaultState:
    """The group, and the factors before and after the reduction whose product is its size."""

    def __init__(self, process_group: ProcessGroup) -> None:
        if process_group is None:
            raise ValueError(f"Expected to pass in an explicit ProcessGroup to {self}.")
        self.process_group = process_group
        self.world_size = dist.get_world_size(process_group)
        self.gradient_predivide_factor = predivide_factor(self.world_size)
        self.gradient_postdivide_factor = self.world_size / self.gradient_predivide_factor


class LowPrecisionState(DefaultState):
    """Also the dtype that the gradient has again afterwards."""

    def __init__(self, process_group: torch.distributed.ProcessGroup, parameter_type: Any = torch.float32) -> None:
        super().__init__(process_group)
        self.parameter_type = parameter_type


def predivide_factor(world_size: int) -> float:
    factor = 1
    while world_size % factor == 0 and world_size / factor > factor:
        factor *= 2
    return float(factor)


def allreduce_hook(state: DefaultState, grad: Tensor) -> None:
    if state.gradient_predivide_factor > 1:
        grad.div_(state.gradient_predivide_factor)
    dist.all_reduce(grad, group=state.process_group)
    if state.gradient_postdivide_factor > 1:
        grad.div_(state.gradient_postdivide_factor)


def reduce_scatter_hook(state: DefaultState, grad: Tensor, output: Tensor) -> None:
    if state.gradient_predivide_factor > 1:
        grad.div_(state.gradient_predivide_factor)
    dist.reduce_scatter_tensor(output, grad, group=state.process_group)
    if state.gradient_postdivide_factor > 1:
        output.div_(state.gradient_postdivide_factor)


def _low_precision(dtype, state, grad, output=None):
    if grad.dtype != dtype:
        grad.data = grad.data.to(dtype)
    if output is not None:
        if output.dtype != dtype:
            output.data = output.data.to(dtype)
        reduce_scatter_hook(state, grad, output)
        _restored(state, output)
    else:
        allreduce_hook(state, grad)
        _restored(state, grad)


def _restored(state, grad):
    narrow = grad.data
    grad.data = grad.data.to(state.parameter_type)
    narrow.record_stream(torch.cuda.current_stream())


def fp16_compress_hook(state: LowPrecisionState, grad: Tensor, output: Tensor | None = None) -> None:
    functools.partial(_low_precision, torch.float16)(state, grad, output)


def bf16_compress_hook(state: LowPrecisionState, grad: Tensor, output: Tensor | None = None) -> None:
    functools.partial(_low_precision, torch.bfloat16)(state, grad, output)


LOW_PRECISION_HOOKS = [fp16_compress_hook, bf16_compress_hook]


def is_low_precision(hook: Callable) -> bool:
    return hook in LOW_PRECISION_HOOKS
