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
from torch.distributed.tensor.experimental import context_parallel
from torch.distributed.tensor.experimental._attention import set_rotate_method, context_parallel_unshard
from torch.nn.attention import sdpa_kernel, SDPBackend
mesh = init_device_mesh("cuda", (world,))
set_rotate_method("alltoall")
q, k, v = (torch.randn(2, 4, 128, 32, device="cuda", dtype=torch.bfloat16) for _ in range(3))
mem("qkv")
with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
    with context_parallel(mesh, buffers=[q, k, v], buffer_seq_dims=[2, 2, 2], no_restore_buffers={q, k, v}):
        mem("sharded")
        for t in (q, k, v):
            t.requires_grad_()
        for step in range(2):
            out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            mem("forward")
            out.sum().backward()
            mem("backward")
            q.grad = k.grad = v.grad = None
        (full,) = context_parallel_unshard(mesh, [out], [2])
        mem("unsharded")
mem("end")
dist.destroy_process_group()
