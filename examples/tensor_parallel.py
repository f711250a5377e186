"""Tensor parallelism: each GPU has some columns of the first matrix of a block and the matching rows of the second.

    vramscope torchrun --standalone --nproc-per-node=4 examples/tensor_parallel.py

Parameters and what lies between the two matrices shrink; inputs and outputs of blocks stay whole on every GPU.
"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module


class Block(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))


torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
mesh = init_device_mesh("cuda", (int(os.environ["WORLD_SIZE"]),), mesh_dim_names=("tp",))
model = nn.Sequential(*[Block(1024, 8192) for _ in range(8)]).cuda()
for block in model:
    parallelize_module(block, mesh["tp"], {"up": ColwiseParallel(), "down": RowwiseParallel()})
# norms are plain tensors beside distributed ones, which operators over lists refuse
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, foreach=False)

for _ in range(2):
    x = torch.randn(4096, 1024, device="cuda")
    model(x).pow(2).mean().backward()
    optimizer.step()
    optimizer.zero_grad()

print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
dist.destroy_process_group()
