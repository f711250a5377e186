"""Groups of ranks that divide a model's layers among them, and those that hold the same part (fairscale/nn/model_parallel/initialize.py)."""

import torch
from torch import distributed as dist

_groups = {}


def initialize_model_parallel(
    model_parallel_size_, pipeline_length=1, *, model_parallel_backend=None, pipeline_backend=None, ddp_backend=None
):
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


def model_parallel_is_initialized():
    return "model" in _groups and "data" in _groups


def get_model_parallel_group():
    assert "model" in _groups, "model parallel group is not initialized"
    return _groups["model"]


def get_data_parallel_group():
    assert "data" in _groups, "data parallel group is not initialized"
    return _groups["data"]


def get_model_parallel_world_size():
    return dist.get_world_size(group=get_model_parallel_group())


def get_model_parallel_rank():
    return dist.get_rank(group=get_model_parallel_group())


def get_model_parallel_src_rank():
    size = get_model_parallel_world_size()
    return dist.get_rank() // size * size


def get_data_parallel_world_size():
    return dist.get_world_size(group=get_data_parallel_group())


def get_data_parallel_rank():
    return dist.get_rank(group=get_data_parallel_group())


def destroy_model_parallel():
    _groups.clear()


def get_pipeline_parallel_group():
    return None


def get_pipeline_parallel_ranks():
    return [torch.distributed.get_rank()]
