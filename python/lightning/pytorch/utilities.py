"""Small things of lightning.pytorch.utilities and its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lightning.fabric.devices import move_data_to_device
from lightning.fabric.seeds import seed_everything
from lightning_utilities.core.apply_func import apply_to_collection
from lightning_utilities.core.rank_zero import rank_zero_deprecation, rank_zero_info, rank_zero_only, rank_zero_warn
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import torch


__getattr__ = lacks("lightning.pytorch.utilities")
STEP_OUTPUT = EVAL_DATALOADERS = TRAIN_DATALOADERS = OptimizerLRScheduler = LRSchedulerTypeUnion = object
__all__ = [
    "apply_to_collection", "move_data_to_device", "rank_zero_deprecation", "rank_zero_info", "rank_zero_only", "rank_zero_warn",
    "seed_everything",
]  # fmt: skip


class MisconfigurationException(Exception):
    """Raised for arguments that do not go together."""


class CombinedLoader:
    """Several loaders as one: by default until the longest ends."""

    def __init__(self, iterables: Any, mode: str = "min_size") -> None:
        from ._parts import Pairs

        self._pairs = Pairs(iterables)

    def __len__(self) -> int:
        return len(self._pairs)

    def __iter__(self) -> Any:
        return ((batch, index, 0) for index, batch in enumerate(self._pairs))


class _Profiler:
    """Measures nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Takes whatever."""

    def profile(self, name: str) -> Any:
        from contextlib import nullcontext

        return nullcontext()


SimpleProfiler = AdvancedProfiler = PyTorchProfiler = Profiler = PassThroughProfiler = _Profiler


class ModelSummary:
    """How many parameters a module has."""

    def __init__(self, model: torch.nn.Module, max_depth: int = 1) -> None:
        self.total_parameters = sum(p.numel() for p in model.parameters())
        self.trainable_parameters = sum(p.numel() for p in model.parameters() if p.requires_grad)

    def __str__(self) -> str:
        return f"{self.trainable_parameters:,} trainable of {self.total_parameters:,} parameters"


def grad_norm(module: torch.nn.Module, norm_type: Any, group_separator: str = "/") -> dict:
    return {}


def measure_flops(
    model: torch.nn.Module, forward_fn: Callable, loss_fn: Callable | None = None, display: bool = False
) -> int:
    return 0
