"""One rank with real NCCL: collectives, DDP and FSDP2 over a world of one, and what NCCL takes outside the allocator.

usage: one_rank.py collectives|ddp|fsdp
"""

from __future__ import annotations

import os
import sys

import torch
from torch import distributed, nn

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(29600 + os.getpid() % 300), RANK="0", WORLD_SIZE="1")


def show(phase: str) -> None:
    c = torch.cuda
    c.synchronize()
    free, total = c.mem_get_info()
    print(f"{phase}\t{c.memory_allocated()}\t{c.max_memory_allocated()}\t{c.memory_reserved()}", flush=True)
    print(f"context\t{phase}\t-1\tdevice\t{c.memory_reserved()}\t{total - free}", flush=True)
    c.reset_peak_memory_stats()


torch.cuda.set_device(0)
distributed.init_process_group("nccl", device_id=torch.device("cuda:0"))
show("group")
model = nn.Sequential(*(nn.Linear(1024, 1024) for _ in range(8))).cuda()
x = torch.randn(256, 1024, device="cuda")
show("model")
if sys.argv[1] == "collectives":
    for name in ("all_reduce", "broadcast", "reduce"):
        tensor = torch.ones(1 << 20, device="cuda")
        getattr(distributed, name)(
            tensor, **({} if name == "all_reduce" else {"dst" if name == "reduce" else "src": 0})
        )
        show(name)
    out = torch.empty(1 << 20, device="cuda")
    distributed.all_gather_into_tensor(out, tensor)
    show("all_gather_into_tensor")
    distributed.reduce_scatter_tensor(out, tensor)
    show("reduce_scatter_tensor")
    distributed.all_gather([out], tensor)
    show("all_gather")
    distributed.barrier()
    show("barrier")
    distributed.all_gather_object([None], {"a": 1})
    show("all_gather_object")
else:
    if sys.argv[1] == "ddp":
        model = nn.parallel.DistributedDataParallel(model, device_ids=[0])
    else:
        from torch.distributed.fsdp import fully_shard

        for layer in model:
            fully_shard(layer)
        fully_shard(model)
    show("wrapped")
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(3):
        loss = model(x).sum()
        show(f"forward {step}")
        loss.backward()
        show(f"backward {step}")
        optimizer.step()
        optimizer.zero_grad()
        show(f"step {step}")
distributed.destroy_process_group()
show("destroyed")
