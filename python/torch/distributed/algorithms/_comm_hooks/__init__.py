"""Communication hooks of FullyShardedDataParallel."""

from . import default_hooks
from .default_hooks import LOW_PRECISION_HOOKS
