"""lightning.pytorch: Trainer, LightningModule and what belongs to them."""

import sys

from lightning._names import also
from lightning.fabric import plugins as _plugins
from lightning.fabric import seed_everything
from lightning.fabric import seeds as _seeds
from lightning.fabric import strategies as _strategies
from lightning_utilities.core import rank_zero as _rank_zero
from torch._stand_ins import lacks

from . import callbacks, cli, datamodule, hooks, loggers, module, trainer, utilities
from .callbacks import Callback
from .datamodule import LightningDataModule
from .module import LightningModule
from .trainer import Trainer

__version__ = "2.6.0"
_own = __name__
also(
    utilities,
    *(
        f"{_own}.utilities.{n}"
        for n in "types model_summary exceptions combined_loader memory model_helpers grads imports apply_func throughput distributed cloud_io parsing".split()
    ),
)
also(utilities, f"{_own}.profilers", f"{_own}.profiler", f"{_own}.tuner", f"{_own}.overrides")
also(_seeds, f"{_own}.utilities.seed")
also(_rank_zero, f"{_own}.utilities.rank_zero")
also(
    callbacks,
    *(
        f"{_own}.callbacks.{n}"
        for n in "callback early_stopping model_checkpoint checkpoint lr_monitor progress model_summary timer base lambda_function finetuning gradient_accumulation_scheduler".split()
    ),
)
also(
    callbacks,
    *(f"{_own}.callbacks.progress.{n}" for n in "tqdm_progress rich_progress base progress_bar".split()),
    f"{_own}.callbacks.progress.rich_progress",
)
also(loggers, *(f"{_own}.loggers.{n}" for n in "base logger wandb tensorboard csv_logs mlflow comet neptune".split()))
also(
    _strategies,
    f"{_own}.strategies",
    *(f"{_own}.strategies.{n}" for n in "ddp fsdp deepspeed strategy single_device".split()),
)
also(_plugins, f"{_own}.plugins", f"{_own}.plugins.precision", f"{_own}.plugins.environments", f"{_own}.plugins.io")
also(module, f"{_own}.core.module", f"{_own}.core.lightning")
also(
    sys.modules[_own],
    f"{_own}.core",
    f"{_own}.core.datamodule",
    f"{_own}.core.saving",
    f"{_own}.core.hooks",
    f"{_own}.core.optimizer",
)
also(trainer, f"{_own}.trainer.trainer", f"{_own}.trainer.states", f"{_own}.trainer.supporters")
__all__ = [
    "Callback",
    "LightningDataModule",
    "LightningModule",
    "Trainer",
    "cli",
    "datamodule",
    "hooks",
    "loggers",
    "seed_everything",
]
__getattr__ = lacks(_own)
