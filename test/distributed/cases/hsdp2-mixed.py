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


from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard, MixedPrecisionPolicy
from torch.utils.checkpoint import checkpoint
mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("r", "s"))
class Blk(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.a = nn.MultiheadAttention(d, 5, batch_first=True)
        self.f = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))
    def forward(self, x):
        x = x + self.a(x, x, x, need_weights=False)[0]
        return x + self.f(x)
net = nn.Sequential(*[Blk(105) for _ in range(3)]).cuda()
for b in net:
    fully_shard(b, mesh=mesh, mp_policy=MixedPrecisionPolicy(torch.bfloat16, torch.bfloat16))
fully_shard(net, mesh=mesh)
mem("sharded")
opt = torch.optim.AdamW(net.parameters())
for step in range(3):
    net.set_requires_all_reduce(step != 0)
    h = torch.randn(2, 21, 105, device="cuda")
    for b in net:
        h = checkpoint(b, h, use_reentrant=False) if step else b(h)
    h.float().mean().backward()
    del h
    mem("backward")
    if step:
        opt.step()
        opt.zero_grad()
    mem("step")
dist.destroy_process_group()
