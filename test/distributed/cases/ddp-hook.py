import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import bf16_compress_hook
from torch.nn.parallel import DistributedDataParallel as DDP

local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


net = DDP(nn.Sequential(*[nn.Linear(700, 700) for _ in range(4)]).cuda(), device_ids=[local_rank], bucket_cap_mb=3)
net.register_comm_hook(None, bf16_compress_hook)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(30, 700, device="cuda")
for step in range(3):
    with net.no_sync():
        net(x).sum().backward()
    mem("no_sync")
    net(x).sum().backward()
    mem("backward")
    opt.step()
    opt.zero_grad()
    mem("step")
dist.destroy_process_group()
