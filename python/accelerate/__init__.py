"""Stand-in for accelerate: an Accelerator for one process with one GPU."""

from torch._stand_ins import lacks

from . import utils
from .accelerator import Accelerator
from .big_modeling import cpu_offload_with_hook, init_empty_weights, init_on_device
from .data_loader import skip_first_batches
from .state import DistributedType, PartialState
from .utils import set_seed
from .utils.dataclasses import (
    DataLoaderConfiguration,
    DistributedDataParallelKwargs,
    GradScalerKwargs,
    InitProcessGroupKwargs,
)
from .utils.memory import find_executable_batch_size

__version__ = "1.7.0"
__getattr__ = lacks("accelerate")
