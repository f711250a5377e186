"""torch.distributed.fsdp.sharded_grad_scaler: a GradScaler whose ranks agree on whether a gradient was not finite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.distributed as dist
from torch.amp.grad_scaler import GradScaler, OptState

if TYPE_CHECKING:
    from torch.distributed import ProcessGroup
    from torch.optim import Optimizer


class ShardedGradScaler(GradScaler):
    """Mirrors torch/distributed/fsdp/sharded_grad_scaler.py: ShardedGradScaler; each unscale_ reduces one number per device."""

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        backoff_factor: float = 0.5,
        growth_factor: float = 2.0,
        growth_interval: int = 2000,
        enabled: bool = True,
        process_group: ProcessGroup | None = dist.group.WORLD,
    ) -> None:
        super().__init__(
            device,
            init_scale=init_scale,
            backoff_factor=backoff_factor,
            growth_factor=growth_factor,
            growth_interval=growth_interval,
            enabled=enabled,
        )
        if self._enabled:
            self.process_group = process_group

    def unscale_(self, optimizer: Optimizer) -> None:
        if not self._enabled:
            return
        state = self._unscaled_by(optimizer)
        inv_scale = self._scale.double().reciprocal().float()
        found_inf = torch.full((1,), 0.0, dtype=torch.float32, device=self._scale.device)
        # a rank without a shard of any parameter still takes part
        found = self._unscale_grads_(optimizer, inv_scale, found_inf, True) or {
            found_inf.device: found_inf.to(device=found_inf.device, non_blocking=True, copy=True)
        }
        state["found_inf_per_device"] = found
        state["stage"] = OptState.UNSCALED
        self._reduce(found.values())

    def _reduce(self, found):
        on_cpu = [value for value in found if self._device != "cpu" and value.device.type == "cpu"]
        on_device = [value.to(self._device) for value in on_cpu]
        reduced = [value for value in found if value.device.type != "cpu" or self._device == "cpu"] + on_device
        for work in [dist.all_reduce(value, async_op=True, group=self.process_group) for value in reduced]:
            work.wait()
        if on_cpu:
            torch._foreach_copy_(on_cpu, on_device)
