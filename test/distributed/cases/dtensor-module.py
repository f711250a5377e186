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


from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import distribute_module, distribute_tensor, Shard, Replicate, DTensor, Partial
mesh = init_device_mesh("cuda", (2, 2), mesh_dim_names=("a", "b"))
def part(name, m, mesh):
    for k, p in list(m.named_parameters(recurse=False)):
        m.register_parameter(k, nn.Parameter(distribute_tensor(p, mesh, [Shard(0), Replicate() if p.dim() == 1 else Shard(1)])))
net = nn.Sequential(nn.Linear(120, 200), nn.GELU(), nn.LayerNorm(200), nn.Linear(200, 60)).cuda()
net = distribute_module(net, mesh, part, lambda m, i, mesh: tuple(distribute_tensor(x, mesh, [Replicate(), Shard(0)]) for x in i), lambda m, o, mesh: o.redistribute(placements=[Replicate(), Replicate()]).to_local())
mem("module")
opt = torch.optim.AdamW(net.parameters(), foreach=False)
for step in range(2):
    out = net(torch.randn(24, 120, device="cuda"))
    mem("forward")
    out.square().sum().backward()
    mem("backward")
    opt.step()
    opt.zero_grad()
    mem("step")
x = DTensor.from_local(torch.randn(5, 6, device="cuda"), mesh, [Partial(), Shard(0)])
y = x * 2 + 1
print(y.placements); mem("pointwise")
z = (x + x.redistribute(placements=[Replicate(), Shard(0)]))
print(z.placements); mem("mixed")
w = torch.stack([x, x]).mean(-1, keepdim=True)
print(w.placements, w.shape); mem("stack")
b = torch.baddbmm(torch.zeros(1, device="cuda").expand(1) if False else distribute_tensor(torch.zeros(3, 4, 5, device="cuda"), mesh, [Replicate()] * 2), distribute_tensor(torch.randn(3, 4, 8, device="cuda"), mesh, [Shard(1), Shard(2)]), distribute_tensor(torch.randn(3, 8, 5, device="cuda"), mesh, [Replicate(), Shard(1)]))
print(b.placements); mem("baddbmm")
c = F.conv1d(distribute_tensor(torch.randn(4, 6, 20, device="cuda"), mesh, [Shard(0), Replicate()]), distribute_tensor(torch.randn(8, 6, 3, device="cuda"), mesh, [Replicate()] * 2))
print(c.placements); mem("conv")
dist.destroy_process_group()
