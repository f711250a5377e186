import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.distributed.pipelining import PipelineStage, Schedule1F1B
from torch.distributed.device_mesh import init_device_mesh

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")
device = torch.device("cuda", local_rank)


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.up = nn.Linear(d, h)
        self.down = nn.Linear(h, d)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))



mesh = init_device_mesh("cuda", (2, 2), mesh_dim_names=("dp", "pp"))
part = nn.Sequential(*[Block(192, 500) for _ in range(2)]).to(device)
ddp = DDP(part, process_group=mesh["dp"].get_group(), device_ids=[local_rank])
ex = torch.empty(4, 16, 192, device="meta", requires_grad=True)
stage = PipelineStage(ddp, mesh["pp"].get_local_rank(), 2, device, input_args=(ex,), output_args=(ex,), group=mesh["pp"].get_group())
schedule = Schedule1F1B(stage, n_microbatches=4, loss_fn=nn.MSELoss())
mem("start")
x, y = torch.randn(16, 16, 192, device=device), torch.randn(16, 16, 192, device=device)
for step in range(3):
    if mesh["pp"].get_local_rank() == 0:
        schedule.step(x)
    else:
        schedule.step(target=y)
    mem("schedule")
    ddp.zero_grad()
dist.destroy_process_group()
