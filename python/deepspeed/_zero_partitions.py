"""ZeRO 1 and 2: whole 16-bit parameters, a part of everything else (runtime/zero/stage_1_and_2.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def aligned(count: int, divisor: Any) -> Any:
    return -(-count // divisor) * divisor


class PartitionedOptimizer:
    """One flat buffer of parameters; this rank's part in float32 with the states; gradients pass through buckets."""

    def __init__(self, engine: Tensor, optimizer: torch.optim.Optimizer, parameters: Any) -> None:
        self.engine, self.settings, self.optimizer = engine, engine.settings, optimizer
        self.parameters = parameters
        world, self.rank = dist.get_world_size(), dist.get_rank()
        total = aligned(sum(parameter.numel() for parameter in parameters), 2 * world)
        self.part = total // world
        self.flat = torch.empty(total, dtype=parameters[0].dtype, device=engine.device)
        begin, self.owned = 0, set()
        low, high = self.rank * self.part, (self.rank + 1) * self.part
        for parameter in parameters:
            end = begin + parameter.numel()
            parameter.data = self.flat[begin:end].view(parameter.shape)
            if begin < high and end > low:
                self.owned.add(parameter)
            begin = end
        part = self.flat[low:high]
        place = "cpu" if self.settings.offload_optimizer else engine.device
        copy = part.clone()
        self.main = copy.to(place).to(self.settings.main)
        del copy
        self.optimizer.param_groups[0]["params"] = [self.main]
        self.optimizer.param_groups = self.optimizer.param_groups[:1]
        self.stream = torch.cuda.Stream() if self.settings.overlap else None
        self.buckets = None
        self.kept = self.averaged = self.norm = None
        for parameter in parameters:
            parameter.register_post_accumulate_grad_hook(self.reduce)

    @property
    def param_groups(self) -> Any:
        return self.optimizer.param_groups

    def setup_buckets(self) -> None:
        """One bucket, and one more where reducing overlaps; made for the first gradient of a backward pass."""
        settings = self.settings
        count = 2 if settings.overlap else 1
        dtype, device = self.flat.dtype, self.engine.device
        self.buckets = [torch.empty(settings.bucket, dtype=dtype, device=device) for _ in range(count)]
        self.index = self.filled = 0
        self.waiting = []

    def reduce(self, parameter: Tensor) -> None:
        """A gradient is copied into the bucket; one that is larger than a bucket stays where it is."""
        if self.buckets is None:
            self.setup_buckets()
        count = parameter.numel()
        if self.filled + count > self.settings.bucket:
            self.flush()
            self.index = (self.index + 1) % len(self.buckets)
        if count <= self.settings.bucket:
            place = self.buckets[self.index][self.filled : self.filled + count]
            place.copy_(parameter.grad.view(-1))
            parameter.grad.data = place.view(parameter.shape)
        self.filled += count
        self.waiting.append(parameter)

    def flush(self) -> None:
        """All ranks' gradients of a bucket, in a copy that is flat (allreduce_bucket); the owner keeps its parameters'."""
        if self.buckets is None or not self.waiting:
            return
        stream = self.stream or torch.cuda.current_stream()
        with torch.no_grad(), torch.cuda.stream(stream):
            summed = torch.cat([parameter.grad.view(-1) for parameter in self.waiting])
            dist.all_reduce(summed)
            del summed
            for parameter in self.waiting:
                if parameter in self.owned and not self.settings.offload_optimizer:
                    self.keep(parameter)
                else:
                    parameter.grad = None
        self.filled, self.waiting = 0, []

    def keep(self, parameter: Tensor) -> None:
        """Gradients of this rank's parameters, whole ones (copy_grads_in_partition)."""
        if self.kept is None:
            total = sum(owned.numel() for owned in self.owned)
            self.kept = torch.empty(total, dtype=self.flat.dtype, device=self.engine.device)
            self.offset = 0
        place = self.kept[self.offset : self.offset + parameter.numel()]
        place.copy_(parameter.grad.view(-1))
        self.offset += parameter.numel()
        parameter.grad = None

    def after_backward(self) -> None:
        self.flush()
        self.buckets = None
        if self.averaged is None:
            self.averaged = self.kept
        elif self.kept is not None:
            self.averaged.add_(self.kept)
        self.kept = None

    def step(self) -> None:
        self.norm = torch.zeros((), device=self.engine.device)
        if self.settings.offload_optimizer:
            self.main.grad = torch.zeros_like(self.main)
        else:
            flat = self.averaged[: self.part].clone()
            wide = flat.to(self.main.dtype) if flat.dtype != self.main.dtype else flat
            self.averaged = None
            del flat
            if wide.numel() < self.part:
                wide = torch.nn.functional.pad(wide, (0, self.part - wide.numel()))
            self.main.grad = wide
            del wide
        self.optimizer.step()
        self.main.grad = None
        self.flat[self.rank * self.part : (self.rank + 1) * self.part].copy_(self.main)
