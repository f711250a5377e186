"""fully_shard over two dimensions of a mesh, with shapes that do not divide, mixed precision and prefetching."""

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


from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard, MixedPrecisionPolicy

mesh = init_device_mesh("cuda", (2, world // 2), mesh_dim_names=("rep", "shard"))


class B(nn.Module):
    def __init__(s, d):
        super().__init__()
        s.a = nn.Linear(d, 3 * d + 1)
        s.b = nn.Linear(3 * d + 1, d)

    def forward(s, x):
        return x + s.b(torch.relu(s.a(x)))


net = nn.Sequential(*[B(301) for _ in range(4)]).cuda()
mp = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32, output_dtype=torch.float32)
for b in net:
    fully_shard(b, mesh=mesh, mp_policy=mp)
fully_shard(net, mesh=mesh, mp_policy=mp)
net[0].set_modules_to_forward_prefetch([net[1], net[2]])
net[3].set_modules_to_backward_prefetch([net[2], net[1]])
mem("sharded")
opt = torch.optim.AdamW(net.parameters(), foreach=True)
for step in range(3):
    y = net(torch.randn(8, 301, device="cuda"))
    mem("fwd")
    y.sum().backward()
    mem("bwd")
    n = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    mem("clip")
    del n
    opt.step()
    opt.zero_grad()
    mem("opt")
