"""DeepSpeed for data-parallel training: `initialize` with ZeRO stages 1 to 3, as deepspeed/__init__.py has it."""

from . import comm, zero
from ._config import Settings
from ._engine import DeepSpeedEngine
from .comm import init_distributed

__version__ = "0.19.5"
__all__ = ["DeepSpeedEngine", "comm", "init_distributed", "initialize", "zero"]


def initialize(
    args=None, model=None, optimizer=None, model_parameters=None, training_data=None, lr_scheduler=None,
    distributed_port=29500, mpu=None, dist_init_required=None, collate_fn=None, config=None, mesh_param=None,
    config_params=None,
):  # fmt: skip
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
