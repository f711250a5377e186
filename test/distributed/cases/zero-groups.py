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
from torch.distributed.optim import ZeroRedundancyOptimizer
net = nn.Sequential(nn.Linear(77, 501), nn.LayerNorm(501), nn.GELU(), nn.Linear(501, 303), nn.LayerNorm(303)).cuda()
net = DDP(net, device_ids=[local_rank], gradient_as_bucket_view=True)
decay = [p for p in net.parameters() if p.dim() > 1]
rest = [p for p in net.parameters() if p.dim() == 1]
opt = ZeroRedundancyOptimizer([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], optimizer_class=torch.optim.AdamW, lr=1e-3, fused=True)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 1 / (1 + s))
mem("made")
for step in range(3):
    for k in range(2):
        if k == 0:
            with net.no_sync():
                net(torch.randn(11, 77, device="cuda")).square().mean().backward()
        else:
            net(torch.randn(11, 77, device="cuda")).square().mean().backward()
        mem("backward")
    opt.step()
    sched.step()
    opt.zero_grad()
    mem("step")
extra = nn.Linear(303, 700).cuda()
opt.add_param_group({"params": list(extra.parameters())})
mem("added")
extra(net(torch.randn(4, 77, device="cuda"))).sum().backward()
opt.step()
mem("step")
dist.destroy_process_group()
