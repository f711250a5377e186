"""lightning.fabric: loops of the user's own on the device and in the precision that Fabric was given."""

import torch
from lightning_utilities.core import rank_zero as _rank_zero
from torch._stand_ins import lacks

from .._names import also
from . import devices as _devices
from . import precision as _precision
from . import load, plugins, seeds, strategies
from .fabric import Fabric, _FabricModule, _FabricOptimizer
from .seeds import seed_everything

if getattr(_rank_zero.rank_zero_only, "rank", None) is None:
    _rank_zero.rank_zero_only.rank = 0
is_wrapped = lambda obj: isinstance(obj, (_FabricModule, _FabricOptimizer))
also(
    plugins,
    "lightning.fabric.plugins.precision",
    "lightning.fabric.plugins.environments",
    "lightning.fabric.plugins.io",
)
also(
    _devices,
    "lightning.fabric.utilities",
    "lightning.fabric.utilities.apply_func",
    "lightning.fabric.utilities.device_parser",
)
also(load, "lightning.fabric.utilities.load", "lightning.fabric.utilities.init")
also(seeds, "lightning.fabric.utilities.seed")
also(_rank_zero, "lightning.fabric.utilities.rank_zero")
also(strategies, "lightning.fabric.strategies.fsdp", "lightning.fabric.strategies.ddp")
__all__ = ["Fabric", "is_wrapped", "seed_everything"]
__getattr__ = lacks("lightning.fabric")
