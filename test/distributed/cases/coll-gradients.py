"""Collectives that gradients go through: torch.distributed.nn."""

import os

import torch
import torch.distributed as dist
from torch.distributed.nn import functional as collective

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


world = dist.get_world_size()
x = torch.randn(512, 256, device="cuda", requires_grad=True)
CALLS = {
    "all_to_all_single": lambda: collective.all_to_all_single(torch.empty_like(x), x),
    "all_gather": lambda: collective.all_gather(x),
    "all_reduce": lambda: collective.all_reduce(x * 2),
    "reduce_scatter": lambda: collective.reduce_scatter(torch.empty(512 // world, 256, device="cuda"), list((x * 3).chunk(world))),
    "broadcast": lambda: collective.broadcast(x * 2, 0),
    "gather": lambda: collective.gather(x * 2, 0),
    "scatter": lambda: collective.scatter([x * i for i in range(world)], 0),
    "all_to_all": lambda: collective.all_to_all([torch.empty(10, 10, device="cuda") for _ in range(world)], [x[:10, :10] * i for i in range(world)]),
    "reduce": lambda: collective.reduce(x * 2, 0),
}
for name, call in CALLS.items():
    torch.cuda.reset_peak_memory_stats()
    y = call()
    mem(name)
    (y if isinstance(y, torch.Tensor) else sum(t.sum() for t in y)).sum().backward()
    del y
    mem("backward")
dist.destroy_process_group()
