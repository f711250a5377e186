import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Shard, Replicate, Partial, distribute_tensor, distribute_module, zeros, ones, randn, empty, full
from torch.distributed.tensor.parallel import parallelize_module, ColwiseParallel, RowwiseParallel, SequenceParallel, PrepareModuleInput, PrepareModuleOutput, PrepareModuleInputOutput, loss_parallel
from torch.distributed.tensor.experimental import local_map, implicit_replication

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")
device = torch.device("cuda", local_rank)


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


class Attention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.o = (nn.Linear(d, d, bias=False) for _ in range(4))

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = (f(x).view(b, n, -1, d // self.heads).transpose(1, 2) for f in (self.q, self.k, self.v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o(y.transpose(1, 2).reshape(b, n, -1))


class Mlp(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.gate, self.up, self.down = nn.Linear(d, h, bias=False), nn.Linear(d, h, bias=False), nn.Linear(h, d, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Layer(nn.Module):
    def __init__(self, d=256, heads=8, h=640):
        super().__init__()
        self.n1, self.attn, self.n2, self.mlp = nn.RMSNorm(d), Attention(d, heads), nn.RMSNorm(d), Mlp(d, h)

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))


class Model(nn.Module):
    def __init__(self, layers=4, d=256, vocabulary=1024):
        super().__init__()
        self.emb = nn.Embedding(vocabulary, d)
        self.layers = nn.ModuleList(Layer(d) for _ in range(layers))
        self.norm, self.head = nn.RMSNorm(d), nn.Linear(d, vocabulary, bias=False)

    def forward(self, ids):
        x = self.emb(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))



mesh = init_device_mesh("cuda", (world,))
def f(x, w):
    return F.gelu(x @ w)
g = local_map(f, out_placements=[Shard(0)], in_placements=([Shard(0)], [Replicate()]), device_mesh=mesh)
x = distribute_tensor(torch.randn(64, 128, device=device), mesh, [Shard(0)])
w = nn.Parameter(distribute_tensor(torch.randn(128, 300, device=device), mesh, [Replicate()]))
y = g(x, w)
mem("mapped")
y.sum().backward()
mem("backward")
with implicit_replication():
    z = y + torch.ones(300, device=device)
mem("implicit")
c = nn.Conv2d(3, 8, 3, padding=1).to(device)
def part(name, module, mesh):
    for n, q in module.named_parameters(recurse=False):
        module.register_parameter(n, nn.Parameter(distribute_tensor(q.data, mesh, [Replicate()])))
distribute_module(c, mesh, part, input_fn=lambda m, i, me: DTensor.from_local(i[0], me, [Shard(0)], run_check=False), output_fn=lambda m, o, me: o.to_local())
o = c(torch.randn(4, 3, 16, 16, device=device))
mem("convolved")
e = nn.Embedding(100, 64).to(device)
parallelize_module(e, mesh, RowwiseParallel(input_layouts=Replicate(), output_layouts=Replicate()))
r = e(torch.randint(0, 100, (4, 30), device=device))
mem("embedded")
r.sum().backward()
mem("embedded backward")
dist.destroy_process_group()
