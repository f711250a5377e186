"""DDP's part in a Join: what a rank without inputs does in the place of forward and backward."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.distributed import _collectives
from torch.distributed.algorithms.join import JoinHook

if TYPE_CHECKING:
    from torch.nn.parallel import DistributedDataParallel


def announce_synchronization(ddp: DistributedDataParallel, has_joined: bool) -> bool:
    """Agrees with the others on whether this pass reduces gradients; who has not joined does not wait for the answer."""
    made = torch.zeros if has_joined or not ddp.require_backward_grad_sync else torch.ones
    flag = made(1, device=ddp.device)
    work = _collectives.all_reduce(flag, group=ddp.process_group, async_op=True)
    if not has_joined:
        return True
    work.wait()
    return flag.item() != 0


def common_rank(ddp: DistributedDataParallel, is_candidate: bool) -> int:
    """The largest of the ranks that offer themselves."""
    rank = torch.tensor([ddp.process_group.rank() if is_candidate else -1], device=ddp.device)
    _collectives.all_reduce(rank, op=torch.distributed.ReduceOp.MAX, group=ddp.process_group)
    return rank.item()


class DDPJoinHook(JoinHook):
    def __init__(self, ddp: DistributedDataParallel) -> None:
        self.ddp = ddp

    def main_hook(self) -> None:
        ddp = self.ddp
        ddp.reducer.rebuild()
        if ddp._syncs_buffers():
            common_rank(ddp, False)
            ddp._broadcast_buffers()
        ddp.require_forward_param_sync = announce_synchronization(ddp, True)
        if ddp.require_forward_param_sync:
            ddp.reducer.reduce_zeros()

    def post_hook(self, is_last_joiner: bool) -> None:
        common_rank(self.ddp, is_last_joiner)
        self.ddp._broadcast_states()
