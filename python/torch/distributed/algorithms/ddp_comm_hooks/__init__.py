"""torch.distributed.algorithms.ddp_comm_hooks: communication hooks of DDP."""

from . import default_hooks as default_hooks
