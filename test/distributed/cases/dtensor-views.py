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
from torch.distributed.tensor import distribute_tensor, DTensor, Shard, Replicate, Partial, zeros, ones
mesh = init_device_mesh("cuda", (4,))
x = distribute_tensor(torch.randn(10, 303, device="cuda"), mesh, [Shard(0)])
print(x.to_local().shape); mem("uneven")
y = x.redistribute(placements=[Shard(1)])
print(y.to_local().shape); mem("moved")
z = x.view(10, 3, 101); print(z.placements); mem("view")
a = z.sum((0, 2)); print(a.placements); mem("sum")
b = a.redistribute(placements=[Replicate()]); mem("b")
c = x.std(1); print(c.placements); mem("std")
d = x.norm(); print(d.placements); mem("norm")
e = torch.einsum("ij,kj->ik", x, x); print(e.placements); mem("einsum")
f = x.t().contiguous(); print(f.placements); mem("t")
w = distribute_tensor(torch.randn(303, 303, device="cuda"), mesh, [Shard(1)]).requires_grad_()
g = F.linear(x, w); print(g.placements); mem("linear")
g.relu().mean().backward(); print(w.grad.placements); mem("backward")
h = torch.addmm(ones(303, device_mesh=mesh), x, w); print(h.placements); mem("addmm")
i = x[2:7]; print(i.placements); mem("slice")
j = x.index_select(1, distribute_tensor(torch.arange(5, device="cuda"), mesh, [Replicate()])); print(j.placements); mem("select")
k = x.clone().detach().zero_(); mem("zero")
l = torch.split(y, 5); print([q.placements for q in l]); mem("split")
m = x.max(); print(m.placements); mem("max")
n = x.argmax(1); print(n.placements); mem("argmax")
o = x.float().pow(2).cumsum(1); print(o.placements); mem("cumsum")
p = torch.nn.functional.dropout(x, 0.2); print(p.placements); mem("dropout")
dist.destroy_process_group()
