import os

import torch
import torch.distributed as dist
import torch.nn as nn
import functools
from torch.distributed.fsdp import BackwardPrefetch, FullyShardedDataParallel as FSDP, ShardingStrategy
from torch.distributed.fsdp.wrap import size_based_auto_wrap_policy

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


net = nn.Sequential(*[nn.Linear(410 + 30 * i, 410 + 30 * (i + 1)) for i in range(6)]).cuda()
policy = functools.partial(size_based_auto_wrap_policy, min_num_params=300_000)
net = FSDP(net, auto_wrap_policy=policy, sharding_strategy=ShardingStrategy.SHARD_GRAD_OP, backward_prefetch=BackwardPrefetch.BACKWARD_POST, forward_prefetch=True, limit_all_gathers=False, device_id=local_rank, use_orig_params=True)
mem("wrapped")
opt = torch.optim.Adam([{"params": [p for p in net.parameters() if p.dim() > 1]}, {"params": [p for p in net.parameters() if p.dim() <= 1], "lr": 1e-2}])
for step in range(2):
    for micro in range(2):
        if micro == 0:
            with net.no_sync():
                net(torch.randn(25, 410, device="cuda")).sum().backward()
        else:
            net(torch.randn(25, 410, device="cuda")).sum().backward()
        mem("backward")
    net.clip_grad_norm_(0.5)
    mem("clipped")
    opt.step()
    mem("step")
    opt.zero_grad()
with FSDP.summon_full_params(net, writeback=False):
    mem("summoned")
mem("end")
dist.destroy_process_group()
