"""What goes between the parts of a divided layer, and its gradient back (fairscale/nn/model_parallel/mappings.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import distributed as dist

from .initialize import get_model_parallel_group, get_model_parallel_rank, get_model_parallel_world_size

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def _reduce(x):
    if get_model_parallel_world_size() > 1:
        dist.all_reduce(x, group=get_model_parallel_group())
    return x


def _split(x):
    size = get_model_parallel_world_size()
    return x if size == 1 else x.split(x.shape[-1] // size, dim=-1)[get_model_parallel_rank()].contiguous()


def _gather(x):
    size = get_model_parallel_world_size()
    if size == 1:
        return x
    parts = [torch.empty_like(x) for _ in range(size)]
    parts[get_model_parallel_rank()] = x
    dist.all_gather(parts, x, group=get_model_parallel_group())
    return torch.cat(parts, dim=x.dim() - 1).contiguous()


def _same(x):
    return x


def _mapping(name, there, back):
    class Mapping(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return there(x)

        @staticmethod
        def backward(ctx, grad):
            return back(grad)

    Mapping.__name__ = Mapping.__qualname__ = name
    return Mapping


_CopyToModelParallelRegion = _mapping("_CopyToModelParallelRegion", _same, _reduce)
_ReduceFromModelParallelRegion = _mapping("_ReduceFromModelParallelRegion", _reduce, _same)
_ScatterToModelParallelRegion = _mapping("_ScatterToModelParallelRegion", _split, _gather)
_GatherFromModelParallelRegion = _mapping("_GatherFromModelParallelRegion", _gather, _split)


def copy_to_model_parallel_region(input_: Tensor) -> Any:
    return _CopyToModelParallelRegion.apply(input_)


def reduce_from_model_parallel_region(input_: Tensor) -> Any:
    return _ReduceFromModelParallelRegion.apply(input_)


def scatter_to_model_parallel_region(input_: Tensor) -> Any:
    return _ScatterToModelParallelRegion.apply(input_)


def gather_from_model_parallel_region(input_: Tensor) -> Any:
    return _GatherFromModelParallelRegion.apply(input_)
