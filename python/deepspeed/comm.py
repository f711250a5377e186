"""`deepspeed.comm`: torch.distributed under another name."""

import torch
from torch.distributed import *  # noqa: F403
from torch.distributed import barrier, get_rank, get_world_size, init_process_group, is_initialized

__all__ = ["barrier", "get_rank", "get_world_size", "init_distributed", "is_initialized"]


def init_distributed(dist_backend=None, **ignored):
    """Connects the ranks once; the card of the local rank is the current one (comm/comm.py)."""
    if not is_initialized():
        import os

        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
        init_process_group(dist_backend or "nccl")
