import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor, empty, full, rand, randn

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


mesh = init_device_mesh("cuda", (2, 2), mesh_dim_names=("dp", "tp"))
a = distribute_tensor(torch.randn(500, 300, device="cuda"), mesh, [Shard(0), Shard(1)])
mem("distributed")
b = randn(300, 700, device_mesh=mesh, placements=[Replicate(), Shard(0)])
mem("factory")
c = a @ b
print(c.placements)
mem("product")
d = torch.nn.functional.gelu(c)
print(d.placements)
mem("gelu")
e = torch.nn.functional.layer_norm(d, (700,))
print(e.placements)
mem("norm")
f = e.sum(0)
print(f.placements, f.shape)
mem("sum")
g = torch.cat([e, e], dim=1)
print(g.placements)
mem("cat")
h = g.transpose(0, 1).reshape(2, 700, 500)
print(h.placements)
mem("reshaped")
i = torch.softmax(d, dim=0)
print(i.placements)
mem("softmax")
j = d.redistribute(placements=[Replicate(), Replicate()])
mem("replicated")
k = d.full_tensor()
mem("full")
l = DTensor.from_local(torch.ones(50, 60, device="cuda"), mesh["tp"], [Partial()])
m = l.redistribute(placements=[Shard(1)])
mem("partial to shard")
n = torch.where(d > 0, d, 0.0)
print(n.placements)
o = d.to(torch.bfloat16).float().mean()
print(o.placements)
mem("where and mean")
p = torch.chunk(d, 2, dim=1)
print([q.placements for q in p])
mem("chunk")
q = torch.stack([d, d]).permute(1, 0, 2)
print(q.placements)
mem("stack")
s = d.topk(5, dim=1)
mem("topk")
t = d.cumsum(0)
print(t.placements)
mem("cumsum")
u, _ = torch.sort(d, dim=1)
mem("sort")
d.add_(1).mul_(2)
mem("in place")
dist.destroy_process_group()
