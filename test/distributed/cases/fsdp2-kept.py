import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.fsdp import fully_shard

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


net = nn.Sequential(nn.Linear(401, 501), nn.GELU(), nn.Linear(501, 504), nn.LayerNorm(504), nn.Linear(504, 6)).cuda()
for layer in net:
    if isinstance(layer, nn.Linear):
        fully_shard(layer, reshard_after_forward=False)
fully_shard(net)
mem("sharded")
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
x = torch.randn(50, 401, device="cuda")
for step in range(2):
    net(x).square().mean().backward()
    mem("backward")
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    mem("clipped")
    opt.step()
    opt.zero_grad()
    mem("step")
dist.destroy_process_group()
