import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


mesh = init_device_mesh("cuda", (2, 2), mesh_dim_names=("replicate", "shard"))
net = nn.Sequential(*[nn.Linear(640, 640) for _ in range(5)]).cuda()
for layer in net:
    fully_shard(layer, mesh=mesh, reshard_after_forward=False)
fully_shard(net, mesh=mesh)
net.set_reshard_after_backward(False)
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
mem("sharded")
for step in range(2):
    for micro in range(2):
        net.set_requires_all_reduce(micro == 1)
        net.set_is_last_backward(micro == 1)
        net(torch.randn(32, 640, device="cuda")).sum().backward()
        mem("backward")
    opt.step()
    opt.zero_grad()
    mem("step")
net.reshard()
for layer in net:
    layer.reshard()
mem("resharded")
dist.destroy_process_group()
