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


from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Shard, Replicate, Partial, distribute_tensor, distribute_module, zeros, ones
mesh = init_device_mesh("cuda", (2, 2), mesh_dim_names=("a", "b"))
x = distribute_tensor(torch.randn(101, 53, 7, device="cuda"), mesh, [Shard(0), Shard(1)])
mem("x")
for pl in ([Replicate(), Shard(0)], [Shard(1), Shard(0)], [Shard(2), Replicate()], [Replicate(), Replicate()], [Shard(1), Shard(1)]):
    x = x.redistribute(mesh, pl)
    print(x.placements, x.to_local().shape)
    mem("redistributed")
w = nn.Parameter(distribute_tensor(torch.randn(53, 31, device="cuda"), mesh, [Replicate(), Shard(1)]))
y = distribute_tensor(torch.randn(20, 53, device="cuda"), mesh, [Shard(0), Replicate()])
z = F.relu(y @ w)
print(z.placements)
mem("product")
l = z.square().sum()
print(l.placements)
l.backward()
print(w.grad.placements)
mem("backward")
full = z.detach().full_tensor()
mem("full")
p = DTensor.from_local(torch.randn(10, 9, device="cuda"), mesh, [Partial("max"), Partial("max")], run_check=False)
q = p.redistribute(mesh, [Shard(0), Replicate()])
print(q.shape, q.to_local().shape)
mem("partial")
t = ones(13, 5, device_mesh=mesh, placements=[Shard(0), Shard(0)])
print(t.to_local().shape, t.sum().placements, t.mean(1).placements, t.max().placements)
mem("reduced")
u = (t * 2 - t / 3).clamp(min=0).sqrt().exp()
v = t.unsqueeze(0).expand(4, 13, 5)
print(u.placements, v.placements)
mem("pointwise")
a, b = t.split([2, 3], dim=1)
print(a.placements, b.to_local().shape)
mem("split")
s = t.float().var(dim=1)
n = torch.linalg.vector_norm(t)
print(s.placements, n.placements)
mem("norm")
e = torch.einsum("ij,kj->ik", t, t.redistribute(mesh, [Replicate(), Replicate()]))
print(e.placements)
mem("einsum")
dist.destroy_process_group()
