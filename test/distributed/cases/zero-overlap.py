import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


net = DDP(nn.Sequential(*[nn.Linear(500, 500) for _ in range(7)]).cuda(), device_ids=[local_rank])
opt = ZeroRedundancyOptimizer(net.parameters(), optimizer_class=torch.optim.Adam, parameters_as_bucket_view=True, lr=1e-3)
mem("optimizer")
x = torch.randn(20, 500, device="cuda")
for step in range(3):
    net(x).mean().backward()
    opt.step()
    mem("step")
    opt.zero_grad()
state = opt.state_dict() if False else len(opt.state)
mem("end")
dist.destroy_process_group()
