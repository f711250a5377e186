"""DDP with a static graph, views of the buckets, checkpoints and a layer that nobody uses."""

import os
import torch
import torch.distributed as dist
import torch.nn as nn

rank, world = (int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]))
local = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.checkpoint import checkpoint


class B(nn.Module):
    def __init__(s, d):
        super().__init__()
        s.a = nn.Linear(d, 4 * d)
        s.b = nn.Linear(4 * d, d)
        s.n = nn.LayerNorm(d)

    def forward(s, x):
        return x + s.b(torch.relu(s.a(s.n(x))))


class M(nn.Module):
    def __init__(s):
        super().__init__()
        s.bs = nn.ModuleList((B(256) for _ in range(5)))
        s.extra = nn.Linear(256, 256)

    def forward(s, x):
        for b in s.bs:
            x = checkpoint(b, x, use_reentrant=False)
        return x


net = DDP(M().cuda(), device_ids=[local], static_graph=True, gradient_as_bucket_view=True, bucket_cap_mb=1)
mem("ddp")
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for step in range(3):
    y = net(torch.randn(8, 64, 256, device="cuda"))
    mem("fwd")
    y.square().mean().backward()
    mem("bwd")
    opt.step()
    opt.zero_grad(set_to_none=True)
    mem("opt")
