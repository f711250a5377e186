"""An interleaved pipeline, whose two stages of a rank give two results of different shapes."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.pipelining import PipelineStage, ScheduleInterleaved1F1B

rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
torch.cuda.set_device(device)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


class Pair(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.left, self.right = nn.Linear(width, width), nn.Linear(2 * width, 2 * width)

    def forward(self, x, y):
        return torch.tanh(self.left(x)), self.right(y) + torch.cat([x, x], -1)


width, micro, chunks = 260, 6, 2
index = [rank + i * world for i in range(chunks)]
parts = [Pair(width).to(device) for _ in index]
like = tuple(torch.empty(micro, n * width, device="meta", requires_grad=True) for n in (1, 2))
stages = [
    PipelineStage(part, i, chunks * world, device, input_args=like, output_args=like) for i, part in zip(index, parts)
]
schedule = ScheduleInterleaved1F1B(
    stages, n_microbatches=4, loss_fn=lambda out, target: (out[0] - target).square().mean() + out[1].mean()
)
opt = torch.optim.SGD([p for part in parts for p in part.parameters()], lr=0.1, momentum=0.9)
mem("stages")
x, y = torch.randn(4 * micro, width, device=device), torch.randn(4 * micro, 2 * width, device=device)
for step in range(2):
    losses = []
    inputs = (x, y) if rank == 0 else ()
    rest = {"target": x, "losses": losses} if rank == world - 1 else {}
    result = schedule.step(*inputs, **rest)
    mem("schedule")
    del result
    opt.step()
    opt.zero_grad()
    mem("step")
dist.destroy_process_group()
