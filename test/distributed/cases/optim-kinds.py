import os

import torch
import torch.distributed as dist
import torch.nn as nn
import gc
from torch.distributed.fsdp import fully_shard

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


kinds = [
    (torch.optim.Adagrad, {}),
    (torch.optim.Adamax, {"foreach": True}),
    (torch.optim.NAdam, {"foreach": False}),
    (torch.optim.RAdam, {}),
    (torch.optim.RMSprop, {"momentum": 0.9, "centered": True}),
    (torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    (torch.optim.Adam, {"amsgrad": True, "fused": True}),
    (torch.optim.AdamW, {"amsgrad": True, "foreach": True, "weight_decay": 0.1}),
]
for kind, options in kinds:
    net = nn.Sequential(nn.Linear(333, 500), nn.Linear(500, 333)).cuda()
    for layer in net:
        fully_shard(layer)
    fully_shard(net)
    opt = kind(net.parameters(), **options)
    for step in range(2):
        net(torch.randn(8, 333, device="cuda")).sum().backward()
        opt.step()
        mem(kind.__name__)
        opt.zero_grad()
    del net, opt, layer
    gc.collect()
    mem("dropped")
dist.destroy_process_group()
