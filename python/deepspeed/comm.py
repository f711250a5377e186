"""`deepspeed.comm`: torch.distributed under another name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.distributed import *  # noqa: F403
from torch.distributed import barrier, get_rank, get_world_size, init_process_group, is_initialized

if TYPE_CHECKING:
    from typing import Any


__all__ = ["barrier", "get_rank", "get_world_size", "init_distributed", "is_initialized"]


def init_distributed(dist_backend: Any = None, **ignored: Any) -> None:
    """Connects the ranks once; the card of the local rank is the current one (comm/comm.py)."""
    if not is_initialized():
        import os

        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
        init_process_group(dist_backend or "nccl")
