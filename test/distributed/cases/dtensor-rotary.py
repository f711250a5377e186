"""Rotary embeddings in complex numbers on distributed tensors, and a linear layer over parts of a batch."""

import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
mesh = init_device_mesh("cuda", (int(os.environ["WORLD_SIZE"]),))


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


for dim in range(4):
    torch.cuda.reset_peak_memory_stats()
    q = distribute_tensor(torch.randn(4, 64, 8, 32, device="cuda"), mesh, [Shard(dim)]).requires_grad_()
    turn = distribute_tensor(torch.randn(1, 64, 1, 16, device="cuda", dtype=torch.complex64), mesh, [Replicate()])
    pairs = torch.view_as_complex(q.float().reshape(*q.shape[:-1], -1, 2))
    print(dim, pairs.placements)
    turned = torch.view_as_real(pairs * turn).flatten(3).type_as(q)
    print(turned.placements)
    mem("turned")
    turned.sum().backward()
    mem("backward")
    del q, turn, pairs, turned
weight = nn.Parameter(distribute_tensor(torch.randn(96, 48, device="cuda"), mesh, [Replicate()]))
bias = nn.Parameter(distribute_tensor(torch.randn(96, device="cuda"), mesh, [Replicate()]))
y = F.linear(distribute_tensor(torch.randn(4, 64, 48, device="cuda"), mesh, [Shard(0)]), weight, bias)
print(y.placements)
y.sum().backward()
print(weight.grad.placements, bias.grad.placements)
mem("linear")
dist.destroy_process_group()
