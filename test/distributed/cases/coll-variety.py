import os

import torch
import torch.distributed as dist
import torch.nn as nn

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


x = torch.randn(999, 130, device="cuda")
work = dist.all_gather([torch.empty_like(x) for _ in range(world)], x, async_op=True)
mem("gather in flight")
work.wait()
mem("waited")
del work
mem("dropped")
out = torch.empty(333, 130, device="cuda")
work = dist.reduce_scatter(out, list(x.chunk(world)), async_op=True)
mem("reduce scatter in flight")
work.wait()
mem("waited")
del work
g = dist.new_group([0, 1])
if rank in (0, 1):
    dist.all_reduce(x, group=g)
    mem("in a group")
    dist.broadcast(x, src=0, group=g)
parts = [torch.empty(10 * (r + 1), 7, device="cuda") for r in range(world)]
dist.all_gather(parts, torch.ones(10 * (rank + 1), 7, device="cuda"))
mem("uneven gather")
ops = [dist.P2POp(dist.isend, x, (rank + 1) % world), dist.P2POp(dist.irecv, torch.empty_like(x), (rank - 1) % world)]
works = dist.batch_isend_irecv(ops)
mem("sent")
for w in works:
    w.wait()
del ops, works, w
mem("received")
objects = [None] * world
dist.all_gather_object(objects, {"rank": rank, "values": list(range(100))})
mem("objects")
dist.reduce(x, dst=1)
dist.barrier()
mem("barrier")
y = x.clone()
h = dist.broadcast(y, src=2, async_op=True)
del y
mem("broadcast in flight")
h.wait()
mem("waited")
del h
mem("end")
dist.destroy_process_group()
