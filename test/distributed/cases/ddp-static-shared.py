import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")
dev = torch.device("cuda", local_rank)


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.checkpoint import checkpoint
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.ModuleList(nn.Linear(257, 257) for _ in range(4))
        self.shared = nn.Linear(257, 257)
    def forward(self, x):
        for l in self.l:
            x = checkpoint(lambda y, l=l: F.relu(l(self.shared(y))), x, use_reentrant=True)
        return x
net = DDP(M().cuda(), device_ids=[local_rank], static_graph=True, bucket_cap_mb=0.5)
mem("ddp")
opt = torch.optim.Adagrad(net.parameters())
for step in range(3):
    x = torch.randn(31, 257, device="cuda", requires_grad=True)
    loss = net(x).sum()
    mem("forward")
    loss.backward()
    mem("backward")
    opt.step()
    opt.zero_grad()
    mem("step")
    del loss
dist.destroy_process_group()
