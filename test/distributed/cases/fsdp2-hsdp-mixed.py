import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


mesh = init_device_mesh("cuda", (2, 2), mesh_dim_names=("replicate", "shard"))
policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32, output_dtype=torch.float32, cast_forward_inputs=True)
net = nn.Sequential(*[nn.Sequential(nn.Linear(512, 1024), nn.GELU(), nn.Linear(1024, 512)) for _ in range(4)]).cuda()
for block in net:
    fully_shard(block, mesh=mesh, mp_policy=policy, reshard_after_forward=True)
fully_shard(net, mesh=mesh, mp_policy=policy)
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, fused=True)
mem("sharded")
for step in range(2):
    for micro in range(3):
        net.set_requires_gradient_sync(micro == 2)
        loss = net(torch.randn(48, 512, device="cuda")).float().pow(2).mean()
        mem("forward")
        loss.backward()
        mem("backward")
    norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    print(type(norm).__name__)
    mem("clipped")
    opt.step()
    mem("step")
    opt.zero_grad()
dist.destroy_process_group()
