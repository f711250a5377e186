"""FSDP1 with original parameters: a frozen block, no_sync, bfloat16 with kept gradients, clipping, a sharded state dict."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import MixedPrecision, ShardingStrategy, StateDictType
from torch.distributed.fsdp.wrap import ModuleWrapPolicy

local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


class Part(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.wide, self.back = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(3 * width, width)

    def forward(self, x):
        return x + self.back(torch.relu(self.wide(self.norm(x))))


net = nn.Sequential(nn.Linear(50, 333), Part(333), Part(333), Part(333), nn.Linear(333, 7))
for param in net[1].parameters():
    param.requires_grad_(False)
net = FSDP(
    net,
    auto_wrap_policy=ModuleWrapPolicy({Part}),
    sharding_strategy=ShardingStrategy.SHARD_GRAD_OP,
    mixed_precision=MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.float32),
    device_id=local_rank,
    sync_module_states=True,
    use_orig_params=True,
)
mem("wrapped")
opt = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad])
x = torch.randn(20, 50, device="cuda")
for step in range(2):
    with net.no_sync():
        net(x).square().mean().backward()
    mem("first")
    net(x).square().mean().backward()
    mem("second")
    net.clip_grad_norm_(1.0)
    opt.step()
    opt.zero_grad()
    mem("step")
with FSDP.state_dict_type(net, StateDictType.SHARDED_STATE_DICT):
    state = net.state_dict()
mem("state")
dist.destroy_process_group()
