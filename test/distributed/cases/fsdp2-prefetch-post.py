import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.fsdp import fully_shard
from torch.utils.checkpoint import checkpoint

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Sequential(nn.Linear(510, 900), nn.SiLU(), nn.Linear(900, 510)) for _ in range(6)])
        self.head = nn.Linear(510, 77)

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
        return self.head(x)


net = Net().cuda()
for block in net.blocks:
    fully_shard(block, reshard_after_forward=True)
fully_shard(net, reshard_after_forward=True)
for a, b, c in zip(net.blocks, net.blocks[1:], net.blocks[2:]):
    a.set_modules_to_forward_prefetch([b, c])
    c.set_modules_to_backward_prefetch([b, a])
net.set_unshard_in_backward(True)
net.head.register_forward_hook(lambda m, i, o: None)
mem("sharded")
opt = torch.optim.Adam(net.parameters(), foreach=False)
for step in range(2):
    y = net(torch.randn(40, 510, device="cuda"))
    mem("forward")
    y.sum().backward()
    mem("backward")
    opt.step()
    mem("step")
    opt.zero_grad()
    del y
handle = net.unshard(async_op=True)
handle.wait()
mem("unsharded")
net.reshard()
mem("resharded")
dist.destroy_process_group()
