"""DeepSpeedEngine: forward, backward, and a step at the end of each accumulation (runtime/engine.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

from ._gathering import Gathering
from ._zero_partitions import PartitionedOptimizer
from ._zero_sharded import ShardedOptimizer

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class DeepSpeedEngine(torch.nn.Module):
    def __init__(
        self, model: torch.nn.Module, optimizer: torch.optim.Optimizer, model_parameters: Any, settings: Tensor
    ) -> None:
        super().__init__()
        self.settings = settings
        self.micro_steps = 0
        self.device = torch.device("cuda", torch.cuda.current_device())
        self.module = model
        parameters = list(model_parameters) if model_parameters is not None else list(model.parameters())
        if parameters and isinstance(parameters[0], dict):  # parameter groups
            parameters = [parameter for group in parameters for parameter in group["params"]]
        trained = [parameter for parameter in parameters if parameter.requires_grad]
        if optimizer is None and not settings.config.get("optimizer"):
            self.answer_alone(model)
            return
        if optimizer is None:
            optimizer = settings.optimizer(trained)
        elif not isinstance(optimizer, torch.optim.Optimizer):
            optimizer = optimizer(trained)
        if settings.stage == 3:
            self.optimizer = ShardedOptimizer(self, optimizer, trained)
        else:
            if settings.dtype != torch.float32:
                model.to(settings.dtype)
            model.to(self.device)
            self.optimizer = PartitionedOptimizer(self, optimizer, trained)

    def answer_alone(self, model: torch.nn.Module) -> None:
        """Without an optimizer parameters lie in parts under stage 3 alone, and nothing else is held (DeepSpeedZeRoOffload)."""
        settings = self.settings
        self.optimizer = None
        if settings.stage == 3:
            self.gathering = Gathering(model, settings, self.device, dist.get_world_size())
            return
        if settings.dtype != torch.float32:
            model.to(settings.dtype)
        model.to(self.device)

    def is_gradient_accumulation_boundary(self) -> bool:
        return (self.micro_steps + 1) % self.settings.accumulation == 0

    def forward(self, *inputs: Any, **named: Any) -> Any:
        out = self.module(*inputs, **named)
        if self.optimizer is None and self.settings.stage == 3:
            self.gathering.end_of_pass()
        return out

    def backward(self, loss: Tensor, retain_graph: bool = False, scale_wrt_gas: bool = True) -> None:
        if scale_wrt_gas and self.settings.accumulation > 1:
            loss = loss / self.settings.accumulation
        loss.backward(retain_graph=retain_graph)
        self.optimizer.after_backward()

    def step(self) -> None:
        if self.is_gradient_accumulation_boundary():
            self.optimizer.step()
        self.micro_steps += 1

    def zero_grad(self) -> None:
        """Gradients are let go by the step."""

    def get_global_grad_norm(self) -> float:
        return 0.0
