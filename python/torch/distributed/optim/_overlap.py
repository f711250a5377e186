"""What ZeroRedundancyOptimizer knows of DDP's buckets where its steps overlap with backward, and the optimizer of this rank's share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor
    from torch.distributed.optim import ZeroRedundancyOptimizer


class Part:
    """The parameters of a bucket that one rank steps; they lie in one flat tensor."""

    def __init__(self, params: Sequence[Tensor], offset: int) -> None:
        self.params, self.offset = params, offset
        self.flat = torch.empty(sum(p.numel() for p in params), dtype=params[0].dtype, device=params[0].device)
        at = 0
        for param in params:
            place = slice(at, at + param.numel())
            self.flat[place].copy_(param.data.flatten())
            param.data = self.flat[place].view_as(param.data)
            at = place.stop


class Overlap:
    """Buckets as the hook has seen them, and from then on which rank steps which part of each."""

    def __init__(self, world_size: int) -> None:
        self.world_size, self.in_parts, self.is_ready = world_size, False, False
        self.buckets = []  # parameters of each bucket
        self.parts = [{} for _ in range(world_size)]  # for each rank, bucket -> Part
        self.seen, self.futures, self.works = {}, {}, []

    def settle(self, zero: ZeroRedundancyOptimizer) -> None:
        """All buckets are known: they are dealt out, and this rank's share gets its optimizer."""
        self.is_ready = True
        shares = (
            self._shares() if self.in_parts else [(i % self.world_size, i, 0, p) for i, p in enumerate(self.buckets)]
        )
        by_rank = sorted(shares, key=lambda share: share[0])
        with torch.no_grad():
            for rank, bucket, offset, params in by_rank:
                self.parts[rank][bucket] = Part(params, offset)
        zero.optim = StepsOfSome(
            zero._class, [p for rank, _, _, ps in shares if rank == zero.rank for p in ps], zero._arguments
        )

    def _shares(self):
        """Buckets of growing size, cut below an even share, each piece to the rank that has least."""
        total = sum(p.numel() for bucket in self.buckets for p in bucket)
        sizes, shares = [0] * self.world_size, []

        def give(bucket, offset, params, taken):
            rank = min((r for r in range(self.world_size) if r not in taken), key=sizes.__getitem__)
            taken.add(rank)
            sizes[rank] += sum(p.numel() for p in params)
            shares.append((rank, bucket, offset, params))

        for bucket, params in sorted(enumerate(self.buckets), key=lambda each: sum(p.numel() for p in each[1])):
            start, size, taken = 0, 0, set()
            for i, param in enumerate(params):
                if size + param.numel() >= total / self.world_size and i > start:
                    give(bucket, start, params[start:i], taken)
                    start, size = i, 0
                size += param.numel()
            give(bucket, start, params[start:], taken)
        return shares

    def step(self, zero: ZeroRedundancyOptimizer, bucket: Any) -> None:
        """Steps this rank's part of a bucket, if it has one."""
        part = self.parts[zero.rank].get(bucket.index())
        if part is not None:
            zero.optim.step(part.params, bucket.gradients()[part.offset : part.offset + len(part.params)])

    def broadcast(self, zero: ZeroRedundancyOptimizer, index: int) -> None:
        for rank in range(self.world_size):
            part = self.parts[rank].get(index)
            if part is not None:
                work = torch.distributed.broadcast(part.flat, group_src=rank, group=zero.process_group, async_op=True)
                self.works.append(work)

    def finish(self) -> None:
        """The pass is over."""
        for work in self.works:
            work.wait()
        self.works, self.seen, self.futures = [], {}, {}


class StepsOfSome:
    """An optimizer that is told which parameters to step, and with which gradients; it goes from one to the next."""

    def __init__(self, optimizer_class: type, params: Sequence[Tensor], arguments: dict[str, Any]) -> None:
        self._optimizer = optimizer_class(params, **{**arguments, "foreach": False})
        self.param_groups, self.state = self._optimizer.param_groups, self._optimizer.state

    def step(self, params: Sequence[Tensor], gradients: Sequence[Tensor]) -> None:
        kept = [param.grad for param in params]
        group = self.param_groups[0]
        every, group["params"] = group["params"], list(params)
        for param, gradient in zip(params, gradients):
            param.grad = gradient
        self._optimizer.step()
        group["params"] = every
        for param, gradient in zip(params, kept):
            param.grad = gradient
