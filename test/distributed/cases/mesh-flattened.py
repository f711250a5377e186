import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Shard, Replicate, Partial, distribute_tensor, distribute_module, zeros, ones, randn, empty, full
from torch.distributed.tensor.parallel import parallelize_module, ColwiseParallel, RowwiseParallel, SequenceParallel, PrepareModuleInput, PrepareModuleOutput, PrepareModuleInputOutput, loss_parallel

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")
device = torch.device("cuda", local_rank)


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


mesh = init_device_mesh("cuda", (2, 2, 2), mesh_dim_names=("pp", "dp", "tp"))
print(mesh.get_coordinate(), mesh["dp"].get_local_rank(), mesh["dp", "tp"].shape, mesh["tp"].get_group().size())
flat = mesh["dp", "tp"]._flatten("dp_tp")
print(flat.shape, flat.get_local_rank())
x = distribute_tensor(torch.randn(64, 48, device=device), mesh["dp", "tp"], [Shard(0), Shard(1)])
mem("two")
y = x.redistribute(placements=[Shard(1), Replicate()])
mem("moved")
z = distribute_tensor(torch.randn(64, 48, device=device), flat, [Shard(0)])
mem("flat")
w = z * 2 + z.mean()
print(w.placements, w.full_tensor().shape)
mem("full")
dist.destroy_process_group()
