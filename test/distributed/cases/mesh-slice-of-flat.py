"""A mesh sliced by the name of dimensions that were flattened before, and sharding with copies over that slice."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

mesh = init_device_mesh("cuda", (2, 2, 2), mesh_dim_names=("copies", "shards", "context"))
mesh["shards", "context"]._flatten("shards_context")
mesh["copies",]._flatten("copies_flat")


def show(name):
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


both = mesh["copies", "shards_context"]
print(both.mesh.tolist(), both.mesh_dim_names, both.get_coordinate(), both.get_group(1).size(), dist.get_process_group_ranks(both.get_group(0)))
again = mesh["copies_flat", "context"]
print(again.mesh.tolist(), again.get_coordinate(), dist.get_process_group_ranks(again.get_group("context")))
for names in (("shards_context", "copies"), ("shards", "shards_context"), ("copies", "nothing")):
    try:
        print(mesh[names])
    except (KeyError, RuntimeError) as error:
        print(type(error).__name__, error)

model = nn.Sequential(nn.Linear(300, 700), nn.GELU(), nn.Linear(700, 300)).cuda()
for layer in model:
    if isinstance(layer, nn.Linear):
        fully_shard(layer, mesh=both)
fully_shard(model, mesh=both)
show("sharded")
optimizer = torch.optim.AdamW(model.parameters())
for step in range(2):
    loss = model(torch.randn(16, 300, device="cuda")).square().mean()
    show("forward")
    loss.backward()
    show("backward")
    optimizer.step()
    optimizer.zero_grad()
    show("step")
dist.destroy_process_group()
