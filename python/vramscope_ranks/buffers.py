"""Parameters of a model chunk and the flat buffers that hold their gradients (and weights, with the distributed optimizer).

Mirrors megatron/core/distributed/param_and_grad_buffer.py and optimizer/param_layout.py.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from .job import tag

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from vramscope_ranks.job import Job


BUCKET_ELEMENTS = 40_000_000
START = 64


def padded(value: Any, divisor: Any) -> Any:
    return -(-value // divisor) * divisor


class Parameters:
    """The parameters of one model chunk, in the order in which its modules register them."""

    def __init__(self, job: Job, frozen: bool = False) -> None:
        self.job, self.frozen = job, frozen
        self.items = []  # (parameter, whether it is an expert's)

    def new(
        self, *shape: Any, expert: bool = False, frozen: bool = False, outer: bool = False, adapter: bool = False
    ) -> Any:
        """A parameter of the model's dtype; experts' are reduced over another group; `outer`: embedding or head.

        With adapters nothing but `adapter` parameters trains.
        """
        if self.frozen or (self.job.lora and not adapter):
            frozen = True
        data = torch.empty(*shape, dtype=self.job.dtype, device="cuda")
        parameter = torch.nn.Parameter(data, requires_grad=not frozen)
        tag(parameter, "parameter")
        parameter.frozen, parameter.outer = frozen, outer
        if not frozen:
            self.items.append((parameter, expert))
        return parameter

    def of(self, expert: Any) -> list:
        return [parameter for parameter, its in self.items if its == expert]


class Buffer:
    """One pair of flat buffers; `spans` lie in reverse order of registration: (parameter, start, end, bucket)."""

    def __init__(self, job: Job, parameters: Any, shards: Any, bucketed: Any) -> None:
        self.job, self.shards = job, max(1, shards)
        divisor = math.lcm(self.shards, 128)
        limit = max(BUCKET_ELEMENTS, 1_000_000 * self.shards) if bucketed else None
        self.spans, self.buckets = [], []
        position = begin = 0
        for parameter in reversed(parameters):
            if job.distributed_optimizer:
                position = padded(position, START)
            end = position + parameter.numel()
            self.spans.append((parameter, position, end, len(self.buckets)))
            position = end
            if limit is not None and position - begin >= limit:
                position = self._close(begin, position, divisor)
                begin = position
        if position > begin:
            position = self._close(begin, position, divisor)
        self.data = None
        if job.distributed_optimizer:
            self.data = tag(torch.zeros(position, dtype=job.dtype, device="cuda"), "parameter")
        self.grad = tag(torch.zeros(position, dtype=job.grads, device="cuda"), "gradient")
        for parameter, start, end, _ in self.spans:
            if self.data is not None:
                parameter.data = self.data[start:end].view(parameter.shape)
            parameter.main_grad = self.grad[start:end].view(parameter.shape)

    def _close(self, begin, position, divisor):
        if self.job.distributed_optimizer:
            position = padded(position, divisor)
        self.buckets.append((begin, position))
        return position

    def shard(self, rank: int) -> Iterator[Any]:
        """(parameter, elements, start in the buffer) of what the optimizer's rank owns; a parameter may be cut anywhere."""
        for parameter, start, end, bucket in self.spans:
            first, last = self.buckets[bucket]
            size = (last - first) // self.shards
            low, high = max(start, first + rank * size), min(end, first + (rank + 1) * size)
            if low < high:
                yield parameter, high - low, low


def reduce_into(parameter: Any) -> None:
    """Autograd's gradient goes into the flat buffer and is dropped (distributed_data_parallel.py, the backward hook)."""

    def hook(its):
        if its.grad is not None:
            its.main_grad.add_(its.grad)
            its.grad = None

    parameter.register_post_accumulate_grad_hook(hook)


def buffers_of(job: Job, parameters: dict, first_chunk: Any) -> list:
    """The buffers of a chunk: dense parameters, then experts'."""
    made = []
    bucketed = job.overlap_grad_reduce and first_chunk and job.stage == 0
    for expert, ranks in ((False, job.dp * job.cp), (True, job.expert_dp)):
        its = parameters.of(expert)
        if its:
            made.append(Buffer(job, its, ranks // job.instances if job.distributed_optimizer else 1, bucketed))
    for parameter, _ in parameters.items:
        reduce_into(parameter)
    return made
