"""DeepSpeed for data-parallel training: `initialize` with ZeRO stages 1 to 3, as deepspeed/__init__.py has it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from . import comm, zero
from ._config import Settings
from ._engine import DeepSpeedEngine
from .comm import init_distributed

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


__version__ = "0.19.5"
__all__ = ["DeepSpeedEngine", "add_config_arguments", "comm", "init_distributed", "initialize", "zero"]


def add_config_arguments(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Adds the options of its launcher, those of its old name hidden."""
    group = parser.add_argument_group("DeepSpeed", "DeepSpeed configurations")
    for name, text in (("deepspeed", "Enable DeepSpeed"), ("deepscale", argparse.SUPPRESS)):
        group.add_argument(f"--{name}", default=False, action="store_true", help=text)
        group.add_argument(f"--{name}_config", default=None, type=str, help=text)
    return parser


def initialize(
    args: Any=None, model: Any=None, optimizer: Any=None, model_parameters: Any=None, training_data: Any=None, lr_scheduler: Any=None,
    distributed_port: int=29500, mpu: Any=None, dist_init_required: Any=None, collate_fn: Callable | None=None, config: Any=None, mesh_param: Any=None,
    config_params: Any=None,
) -> tuple:  # fmt: skip
    """The engine, its optimizer, no data loader, and the scheduler that was given."""
    assert model is not None, "deepspeed.initialize requires a model"
    if training_data is not None:
        raise NotImplementedError("deepspeed.initialize(training_data=...): make a DataLoader yourself")
    init_distributed()
    config = config if config is not None else config_params
    if config is None and args is not None:
        config = getattr(args, "deepspeed_config", None)
    engine = DeepSpeedEngine(model, optimizer, model_parameters, Settings(config))
    return engine, engine.optimizer, None, lr_scheduler
