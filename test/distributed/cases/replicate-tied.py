import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


from torch.distributed._composable.replicate import replicate
net = nn.Sequential(nn.Linear(50, 300), nn.ReLU(), nn.Linear(300, 50))
net[2].weight = nn.Parameter(net[0].weight.t().contiguous())
net = net.cuda()
replicate(net)
mem("replicated")
opt = torch.optim.Adam(net.parameters())
for step in range(2):
    net(torch.randn(7, 50, device="cuda")).sum().backward()
    mem("backward")
    opt.step()
    opt.zero_grad()
    mem("step")
dist.destroy_process_group()
