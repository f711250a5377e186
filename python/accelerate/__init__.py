"""Stand-in for accelerate: an Accelerator for one process with one GPU."""

from torch._stand_ins import lacks

from . import utils
from .accelerator import Accelerator
from .utils import set_seed

__version__ = "1.7.0"
__getattr__ = lacks("accelerate")
