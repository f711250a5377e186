"""Groups of ranks that divide a model's layers among them, and those that hold the same part (fairscale/nn/model_parallel/initialize.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import distributed as dist

if TYPE_CHECKING:
    from typing import Any


_groups = {}


def initialize_model_parallel(
    model_parallel_size_: Any,
    pipeline_length: int = 1,
    *,
    model_parallel_backend: Any = None,
    pipeline_backend: Any = None,
    ddp_backend: Any = None,
) -> None:
    assert dist.is_initialized()
    if pipeline_length != 1:
        raise NotImplementedError("vramscope's fairscale divides layers, not stages of a pipeline")
    world, rank = dist.get_world_size(), dist.get_rank()
    size = int(min(model_parallel_size_, world))
    if world % size:
        raise AssertionError(f"{world} is not divisible by {size}")
    for start in range(size):
        ranks = list(range(start, world, size))
        group = dist.new_group(ranks, backend=ddp_backend)
        if rank in ranks:
            _groups["data"] = group
    for start in range(0, world, size):
        ranks = list(range(start, start + size))
        group = dist.new_group(ranks, backend=model_parallel_backend)
        if rank in ranks:
            _groups["model"] = group


def model_parallel_is_initialized() -> bool:
    return "model" in _groups and "data" in _groups


def get_model_parallel_group() -> Any:
    assert "model" in _groups, "model parallel group is not initialized"
    return _groups["model"]


def get_data_parallel_group() -> Any:
    assert "data" in _groups, "data parallel group is not initialized"
    return _groups["data"]


def get_model_parallel_world_size() -> Any:
    return dist.get_world_size(group=get_model_parallel_group())


def get_model_parallel_rank() -> Any:
    return dist.get_rank(group=get_model_parallel_group())


def get_model_parallel_src_rank() -> Any:
    size = get_model_parallel_world_size()
    return dist.get_rank() // size * size


def get_data_parallel_world_size() -> Any:
    return dist.get_world_size(group=get_data_parallel_group())


def get_data_parallel_rank() -> Any:
    return dist.get_rank(group=get_data_parallel_group())


def destroy_model_parallel() -> None:
    _groups.clear()


def get_pipeline_parallel_group() -> None:
    return None


def get_pipeline_parallel_ranks() -> list:
    return [torch.distributed.get_rank()]
