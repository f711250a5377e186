"""What an Accelerator is told beside its arguments: how processes meet, where a project's files are, how losses are scaled."""

from __future__ import annotations

import dataclasses
import enum
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from accelerate.state import DistributedType

if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "DataLoaderConfiguration", "DistributedDataParallelKwargs", "DistributedType", "GradScalerKwargs",
    "GradientAccumulationPlugin", "InitProcessGroupKwargs", "LoggerType", "PrecisionType", "ProjectConfiguration",
]  # fmt: skip

__getattr__ = lacks("accelerate.utils.dataclasses")


class LoggerType(str, enum.Enum):
    ALL = "all"
    TENSORBOARD = "tensorboard"
    WANDB = "wandb"
    COMETML = "comet_ml"
    MLFLOW = "mlflow"
    AIM = "aim"
    CLEARML = "clearml"
    DVCLIVE = "dvclive"
    SWANLAB = "swanlab"
    TRACKIO = "trackio"


class PrecisionType(str, enum.Enum):
    NO = "no"
    FP8 = "fp8"
    FP16 = "fp16"
    BF16 = "bf16"


class KwargsHandler:
    """Arguments that are handed on to a part of torch."""

    def to_kwargs(self) -> dict:
        plain = type(self)()
        return {name: value for name, value in vars(self).items() if getattr(plain, name, None) != value}


@dataclasses.dataclass
class DistributedDataParallelKwargs(KwargsHandler):
    """Of no use to one process, which wraps nothing."""

    dim: int = 0
    broadcast_buffers: bool = True
    bucket_cap_mb: int = 25
    find_unused_parameters: bool = False
    check_reduction: bool = False
    gradient_as_bucket_view: bool = False
    static_graph: bool = False
    comm_hook: Any = None
    comm_wrapper: Any = None
    comm_state_option: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class InitProcessGroupKwargs(KwargsHandler):
    backend: str | None = "nccl"
    init_method: str | None = None
    timeout: Any = None


@dataclasses.dataclass
class GradScalerKwargs(KwargsHandler):
    """Numbers of a scaler: they change no memory."""

    init_scale: float = 65536.0
    growth_factor: float = 2.0
    backoff_factor: float = 0.5
    growth_interval: int = 2000
    enabled: bool = True


@dataclasses.dataclass
class GradientAccumulationPlugin(KwargsHandler):
    num_steps: int | None = None
    adjust_scheduler: bool = True
    sync_with_dataloader: bool = True
    sync_each_batch: bool = False


@dataclasses.dataclass
class DataLoaderConfiguration:
    split_batches: bool = False
    dispatch_batches: bool | None = None
    even_batches: bool = True
    use_seedable_sampler: bool = False
    data_seed: int | None = None
    non_blocking: bool = False
    use_stateful_dataloader: bool = False


@dataclasses.dataclass
class ProjectConfiguration:
    """Where a project keeps its checkpoints and logs."""

    project_dir: str | None = None
    logging_dir: str | None = None
    automatic_checkpoint_naming: bool = False
    total_limit: int | None = None
    iteration: int = 0
    save_on_each_node: bool = False

    def __post_init__(self) -> None:
        self.set_directories(self.project_dir)

    def set_directories(self, project_dir: str | None = None) -> None:
        self.project_dir = project_dir
        if self.logging_dir is None:
            self.logging_dir = project_dir
