"""ZeRO 3: parameters, gradients and states in parts; whole parameters from use to use (runtime/zero/stage3.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

from ._gathering import Gathering

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class ShardedOptimizer:
    """16-bit parts and float32 parts with their states by sub-groups, a flat buffer of gradients' parts, and one bucket."""

    def __init__(self, engine: Tensor, optimizer: torch.optim.Optimizer, parameters: Any) -> None:
        self.engine, self.settings, self.optimizer = engine, engine.settings, optimizer
        self.world = dist.get_world_size()
        settings, device = self.settings, engine.device
        self.gathering = Gathering(engine.module, settings, device, self.world)
        self.parameters = parameters
        dtype = self.gathering.dtype
        part = self.gathering.part_of
        groups, filled = [[]], 0
        for parameter in parameters:
            if groups[-1] and filled + parameter.numel() > settings.sub_group:
                groups.append([])
                filled = 0
            groups[-1].append(parameter)
            filled += parameter.numel()
        place = "cpu" if settings.offload_optimizer else device
        self.groups = [
            (group, torch.zeros(sum(map(part, group)), dtype=settings.main, device=place)) for group in groups
        ]
        total = sum(map(part, parameters))
        self.bucket = torch.empty(settings.bucket, dtype=dtype, device=device)
        self.grads = torch.zeros(total, dtype=dtype, device=place)
        self.offsets, begin = {}, 0
        for parameter in parameters:
            self.offsets[parameter] = begin
            begin += part(parameter)
        base = self.optimizer.param_groups[0]
        self.optimizer.param_groups = [{**base, "params": [main]} for _, main in self.groups]
        self.stream = torch.cuda.Stream() if settings.overlap else None
        self.filled, self.waiting = 0, []
        for parameter in parameters:
            parameter.register_post_accumulate_grad_hook(self.reduce)

    @property
    def param_groups(self) -> Any:
        return self.optimizer.param_groups

    def reduce(self, parameter: Tensor) -> None:
        """A gradient is copied into the bucket; a full bucket goes to its owners (__add_grad_to_ipg_bucket)."""
        count = parameter.numel()
        if self.filled + count > self.settings.bucket:
            self.flush()
        if count <= self.settings.bucket:
            place = self.bucket[self.filled : self.filled + count]
            place.copy_(parameter.grad.view(-1))
            parameter.grad.data = place.view(parameter.shape)
        self.filled += count
        self.waiting.append(parameter)

    def flush(self) -> None:
        """Padded and flat for the reduce-scatter; this rank's parts are added where they stay (reduce_scatter_coalesced)."""
        if not self.waiting:
            return
        stream = self.stream or torch.cuda.current_stream()
        with torch.no_grad(), torch.cuda.stream(stream):
            parts = [self.gathering.part_of(parameter) for parameter in self.waiting]
            dtype, device = self.bucket.dtype, self.engine.device
            flat = torch.empty(self.world * sum(parts), dtype=dtype, device=device)
            begin = 0
            for parameter, part in zip(self.waiting, parts):
                start = self.offsets[parameter]
                self.grads[start : start + part].add_(flat[begin : begin + part].to(self.grads.device))
                parameter.grad = None
                begin += part * self.world
        self.filled, self.waiting = 0, []

    def after_backward(self) -> None:
        self.flush()
        self.gathering.end_of_pass()

    def step(self) -> None:
        """Sub-group by sub-group: gradients as float32, the optimizer, the 16-bit parts again."""
        begin = 0
        for (group, main), options in zip(self.groups, list(self.optimizer.param_groups)):
            count = main.numel()
            main.grad = self.grads[begin : begin + count].to(main.dtype)
            begin += count
            everything = self.optimizer.param_groups
            self.optimizer.param_groups = [options]
            self.optimizer.step()
            self.optimizer.param_groups = everything
            main.grad = None
            for parameter in group:
                self.gathering.updated(parameter)
        self.grads.zero_()
