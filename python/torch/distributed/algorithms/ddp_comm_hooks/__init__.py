"""torch.distributed.algorithms.ddp_comm_hooks: communication hooks of DDP."""

from . import debugging_hooks as debugging_hooks
from . import default_hooks as default_hooks
from . import powerSGD_hook as powerSGD_hook
