import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")
device = torch.device("cuda", local_rank)


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.up = nn.Linear(d, h)
        self.down = nn.Linear(h, d)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))



ddp = DDP(nn.Sequential(*[Block(200, 500) for _ in range(2)]).to(device), device_ids=[local_rank], bucket_cap_mb=1)
ddp._register_builtin_comm_hook(dist.BuiltinCommHookType.FP16_COMPRESS)
mem("start")
for step in range(3):
    ddp(torch.randn(4, 16, 200, device=device)).mean().backward()
    mem("backward")
    ddp.zero_grad()
other = DDP(nn.Linear(500, 400).to(device), device_ids=[local_rank])
other._register_builtin_comm_hook(dist.BuiltinCommHookType.ALLREDUCE)
for step in range(3):
    other(torch.randn(4, 500, device=device)).mean().backward()
    mem("allreduce")
dist.destroy_process_group()
