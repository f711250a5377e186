import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.pipelining import PipelineStage, ScheduleZBVZeroBubble

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


device = torch.device("cuda", local_rank)
dim = 384
parts = [nn.Sequential(nn.Linear(dim, 4 * dim), nn.ReLU(), nn.Linear(4 * dim, dim)).to(device) for _ in range(2)]
example = torch.empty(8, dim, device="meta", requires_grad=True)
indices = [rank, 2 * world - 1 - rank]
stages = [PipelineStage(part, index, 2 * world, device, input_args=(example,), output_args=(example,)) for part, index in zip(parts, indices)]
schedule = ScheduleZBVZeroBubble(stages, n_microbatches=6, loss_fn=nn.MSELoss())
mem("stages")
x, y = torch.randn(48, dim, device=device), torch.randn(48, dim, device=device)
for step in range(2):
    if rank == 0:
        schedule.step(x, target=y)
    else:
        schedule.step()
    mem("schedule")
    for part in parts:
        part.zero_grad()
dist.destroy_process_group()
