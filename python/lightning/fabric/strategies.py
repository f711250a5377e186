"""Strategies by class: what they are called with is kept, and `devices.check_strategy` says which can be simulated."""

from torch._stand_ins import lacks

__getattr__ = lacks("lightning's strategies")


class Strategy:
    """A way to use devices."""

    strategy_name = "auto"

    def __init__(self, *args, **kwargs):
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
