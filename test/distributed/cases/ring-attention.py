"""Attention over four ranks' parts of a sequence, handed from rank to rank; one buffer comes back whole."""

import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.experimental import context_parallel
from torch.distributed.tensor.experimental._attention import set_rotate_method

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
mesh = init_device_mesh("cuda", (int(os.environ["WORLD_SIZE"]),))
F.scaled_dot_product_attention.__name__ = "scaled_dot_product_attention"
set_rotate_method("alltoall")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


hidden = torch.randn(3, 320, 96, device="cuda", dtype=torch.float16)
weight = torch.randn(96, 288, device="cuda", dtype=torch.float16, requires_grad=True)
with context_parallel(mesh, buffers=[hidden], buffer_seq_dims=[1]):
    mem("shared out")
    parts = (hidden @ weight).view(3, hidden.shape[1], 3, 6, 16).permute(2, 0, 3, 1, 4)
    out = F.scaled_dot_product_attention(parts[0], parts[1], parts[2], is_causal=True)
    mem("forward")
    out.float().sum().backward()
    mem("backward")
mem("end")
dist.destroy_process_group()
