"""What a stage does with its micro-batches: 1F1B and the interleaved schedule (core/pipeline_parallel/schedules.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .linear import drained

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from vramscope_ranks.job import Job
    from torch.autograd.function import FunctionCtx
    from torch import Tensor


class Sent(torch.autograd.Function):
    """An output that was sent on: its data go, its graph stays; its gradient is received when the backward pass begins."""

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, pipeline: Any) -> Tensor:
        ctx.shape, ctx.pipeline = x.shape, pipeline
        return torch.empty(1, dtype=x.dtype, device=x.device)

    @staticmethod
    def backward(ctx: FunctionCtx, grad: Tensor) -> tuple:
        received = torch.empty(ctx.shape, dtype=grad.dtype, device=grad.device)
        ctx.pipeline.received = received
        return received, None


FIRST = ("tokens", "positions", "attention")
LAST = ("labels", "mask", "attention")


class Pipeline:
    """Runs one training step over `chunks`; boundary tensors are received and sent, none are moved."""

    def __init__(self, job: Job, chunks: Any, references: Sequence = ()) -> None:
        self.job, self.chunks, self.references = job, chunks, references
        self.inputs = [[] for _ in chunks]
        self.outputs = [[] for _ in chunks]
        self.received = None
        self.remembered = []
        self.returned = [None] * len(chunks)

    def forward(self, index: int) -> None:
        job, chunk = self.job, self.chunks[index]
        x = None if chunk.first else job.hidden_states().requires_grad_()
        batch = chunk.batch() if chunk.first or chunk.last else {}
        if job.kept_batches:
            self.remember(chunk, batch)
        out = self.compared(index, x, batch) if self.references else chunk.forward(x, batch)
        if chunk.last:
            out = (out.float().view(-1) * batch["mask"].view(-1)).sum() / job.micro_batches
        else:
            out = Sent.apply(out, self)
        self.inputs[index].append(x)
        self.outputs[index].append(out)

    def compared(self, index: int, x: Tensor, batch: int) -> Any:
        """The reference model's result before the model's own, in one tensor (ms-swift, megatron/trainers/dpo_trainer.py)."""
        before, own = (None, None) if x is None else (x[: x.shape[0] // 2].detach(), x[x.shape[0] // 2 :])
        with torch.no_grad():
            theirs = self.references[index].forward(before, batch)
        both = torch.cat([theirs, self.chunks[index].forward(own, batch)], dim=0)
        return both[both.shape[0] // 2 :] if self.chunks[index].last else both

    def backward(self, index: int) -> None:
        x, out = self.inputs[index].pop(0), self.outputs[index].pop(0)
        out.backward()
        # what was received and what is sent back live until the next one, because the work that sends them keeps them; of several
        # chunks the last one's input is let go (Megatron-LM's CI: one boundary tensor fewer in all interleaved runs)
        late = len(self.chunks) > 1 and index == len(self.chunks) - 1
        self.returned[index] = None if x is None else (None if late else x, x.grad)

    def remember(self, chunk: Any, batch: dict) -> None:
        """What the stage uses of a batch stays on the GPU until the next step (core/utils.py, get_batch_on_this_tp_rank)."""
        whole = self.job.pp == 1 or chunk.extra is not None
        names = (FIRST if chunk.first else ()) + (LAST if chunk.last else ())
        self.remembered.append([tensor for name, tensor in batch.items() if whole or name in names])

    def step(self, micro_batches: Any) -> None:
        self.remembered.clear()
        # those of micro-batches that are not simulated, because they do as others did
        for _ in range(max(0, self.job.kept_batches - micro_batches)):
            for chunk in self.chunks:
                if chunk.first or chunk.last:
                    self.remember(chunk, chunk.batch())
        for index, forward in order(self.job, len(self.chunks), micro_batches):
            (self.forward if forward else self.backward)(index)
        drained()


def order(job: Job, chunks: int, micro_batches: Any) -> Any:
    """(chunk, whether forward) in the order of the schedule of this stage."""
    if chunks == 1:
        warm = min(job.pp - job.stage - 1, micro_batches)
        steps = [(0, True)] * warm
        steps += [(0, True), (0, False)] * (micro_batches - warm)
        return steps + [(0, False)] * warm
    total = micro_batches * chunks
    group = job.group or job.pp
    table = [
        chunk
        for begin in range(0, micro_batches, group)
        for chunk in range(chunks)
        for _ in range(min(group, micro_batches - begin))
    ]
    warm = min((job.pp - job.stage - 1) * 2 + (chunks - 1) * group, total)
    steps = [(table[k], True) for k in range(warm)]
    for k in range(total - warm):
        steps += [(table[warm + k], True), (chunks - 1 - table[k], False)]
    return steps + [(chunks - 1 - table[k], False) for k in range(total - warm, total)]
