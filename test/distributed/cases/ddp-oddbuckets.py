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


from torch.nn.parallel import DistributedDataParallel as DDP
class Odd(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(301, 1201)
        self.scale = nn.Parameter(torch.tensor(1.0))
        self.b = nn.ModuleList(nn.Linear(1201, 1201, bias=False) for _ in range(3))
        self.c = nn.Linear(1201, 13)
        self.c.bias.requires_grad_(False)
        self.unused = nn.Linear(77, 77)
    def forward(self, x, deep):
        h = self.a(x) * self.scale
        for i, b in enumerate(self.b):
            if deep or i == 0:
                h = h + b(F.silu(h))
        return self.c(h)
net = Odd().cuda()
net = DDP(net, device_ids=[local_rank], bucket_cap_mb=3, find_unused_parameters=True, gradient_as_bucket_view=True)
mem("ddp")
opt = torch.optim.RMSprop(net.parameters(), momentum=0.5)
for step in range(4):
    x = torch.randn(7 + rank, 301, device="cuda")
    if step % 2 == 0:
        with net.no_sync():
            net(x, True).mean().backward()
        mem("no sync")
    net(x, step != 1).mean().backward()
    mem("backward")
    opt.step()
    opt.zero_grad(set_to_none=step < 2)
    mem("step")
dist.destroy_process_group()
