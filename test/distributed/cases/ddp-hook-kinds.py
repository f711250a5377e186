import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks as default, debugging_hooks, optimizer_overlap_hooks

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



model = nn.Sequential(*[Block(256, 700) for _ in range(3)]).to(device)
ddp = DDP(model, device_ids=[local_rank], bucket_cap_mb=1)
ddp.register_comm_hook(None, default.bf16_compress_hook)
mem("start")
for step in range(3):
    ddp(torch.randn(4, 32, 256, device=device)).sum().backward()
    mem("backward")
    ddp.zero_grad()
    mem("zeroed")
other = DDP(nn.Linear(512, 512).to(device), device_ids=[local_rank])
other.register_comm_hook(None, debugging_hooks.noop_hook)
for step in range(2):
    other(torch.randn(16, 512, device=device)).sum().backward()
    mem("noop")
last = DDP(nn.Linear(384, 384).to(device), device_ids=[local_rank])
last.register_comm_hook(None, default.fp16_compress_wrapper(default.allreduce_hook))
for step in range(2):
    last(torch.randn(16, 384, device=device)).sum().backward()
    mem("wrapper")
dist.destroy_process_group()
