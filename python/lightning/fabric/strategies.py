"""Strategies by class: what they are called with is kept, and `devices.check_strategy` says which can be simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any


__getattr__ = lacks("lightning's strategies")


class Strategy:
    """A way to use devices."""

    strategy_name = "auto"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args, self.kwargs = args, kwargs


class SingleDeviceStrategy(Strategy):
    strategy_name = "single_device"


class ParallelStrategy(Strategy):
    strategy_name = "ddp"


class DDPStrategy(ParallelStrategy):
    strategy_name = "ddp"


class DataParallelStrategy(ParallelStrategy):
    strategy_name = "dp"


class FSDPStrategy(ParallelStrategy):
    strategy_name = "fsdp"


class DeepSpeedStrategy(ParallelStrategy):
    strategy_name = "deepspeed"


class ModelParallelStrategy(ParallelStrategy):
    strategy_name = "model_parallel"


class XLAStrategy(ParallelStrategy):
    strategy_name = "xla"
