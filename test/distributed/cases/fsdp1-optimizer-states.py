"""FSDP1: sharded state dicts, states of the optimizer, and parameters summoned."""

import os
import torch
import torch.distributed as dist
import torch.nn as nn

rank, world = (int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]))
local = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


from torch.distributed.fsdp import (
    FullyShardedDataParallel as FSDP,
    StateDictType,
    ShardedStateDictConfig,
    FullOptimStateDictConfig,
    FullStateDictConfig,
    ShardingStrategy,
)
from torch.distributed.fsdp.wrap import ModuleWrapPolicy


class B(nn.Module):
    def __init__(s, d):
        super().__init__()
        s.a = nn.Linear(d, 3 * d)
        s.b = nn.Linear(3 * d, d)

    def forward(s, x):
        return x + s.b(torch.relu(s.a(x)))


net = FSDP(
    nn.Sequential(*[B(130) for _ in range(3)]),
    auto_wrap_policy=ModuleWrapPolicy({B}),
    device_id=local,
    sharding_strategy=ShardingStrategy.FULL_SHARD,
)
opt = torch.optim.Adam(net.parameters())
for step in range(2):
    net(torch.randn(8, 130, device="cuda")).sum().backward()
    opt.step()
    opt.zero_grad()
    mem("opt")
with FSDP.state_dict_type(net, StateDictType.SHARDED_STATE_DICT):
    sd = net.state_dict()
    mem("sharded")
    net.load_state_dict(sd)
    mem("loaded")
    del sd
osd = FSDP.optim_state_dict(net, opt)
mem("osd")
del osd
with FSDP.summon_full_params(net, writeback=False):
    mem("summoned")
mem("end")
