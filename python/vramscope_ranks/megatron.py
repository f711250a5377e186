"""One rank of a Megatron-Core training run: build, wrap, and take two steps; only the second has all states from its beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .buffers import buffers_of
from .job import Job
from .kinds import chunk_class
from .optimizer import Optimizer
from .schedule import Pipeline

if TYPE_CHECKING:
    from torch import Tensor


def train(values: Tensor) -> tuple:
    """Takes the steps of a job and prints allocated and peak bytes after each, as Megatron-LM logs them."""
    job = Job(values)
    count = len(job.chunks)
    chunks = []
    make = chunk_class(job)
    for index, layers in enumerate(job.chunks):
        first = job.pre and index == 0
        last = job.post and index == count - 1
        chunks.append(make(job, layers, first, last))
    buffers = [buffer for index, chunk in enumerate(chunks) for buffer in buffers_of(job, chunk.parameters, index == 0)]
    optimizer = Optimizer(job, buffers)
    # a copy of the model that only compares; adapters are switched off instead
    references = chunks if job.reference == "same" else []
    if job.reference == "copy":
        references = [make(job, chunk.numbers, chunk.first, chunk.last, frozen=True) for chunk in chunks]
    pipeline = Pipeline(job, chunks, references)
    for step in range(job.steps):
        optimizer.zero_grad()
        # optimizer states come with the first step, however short it is
        short = job.first_batches if step == 0 else 0
        pipeline.step(short or job.micro_batches)
        if job.skip_first_step and step == 0:
            optimizer.overflow()
        else:
            optimizer.step()
        torch.cuda.nvtx.mark(f"after step {step + 1}")
        print(
            step + 1, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()
        )
    return chunks, buffers, optimizer
