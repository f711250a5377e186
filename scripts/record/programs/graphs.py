"""CUDA graphs: what their private pools hold while they live, share and die."""

from __future__ import annotations

import torch
from torch import nn

model = nn.Sequential(nn.Linear(1024, 4096), nn.ReLU(), nn.Linear(4096, 1024)).cuda()
x = torch.randn(512, 1024, device="cuda")


def show(phase: str) -> None:
    c = torch.cuda
    c.synchronize()
    print(f"{phase}\t{c.memory_allocated()}\t{c.max_memory_allocated()}\t{c.memory_reserved()}", flush=True)
    c.reset_peak_memory_stats()


def warm_up() -> None:
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            model(x).sum().backward()
    torch.cuda.current_stream().wait_stream(side)


show("model")
warm_up()
show("warm-up on a side stream")
first = torch.cuda.CUDAGraph()
with torch.no_grad(), torch.cuda.graph(first):
    y = model(x)
show("inference captured")
second = torch.cuda.CUDAGraph()
with torch.no_grad(), torch.cuda.graph(second, pool=first.pool()):
    z = model(x[:256])
show("a second one shares the pool")
third = torch.cuda.CUDAGraph()
with torch.no_grad(), torch.cuda.graph(third):
    w = model(x[:128])
show("a third one does not")
for made in (first, second, third):
    made.replay()
show("replayed")
model.zero_grad(set_to_none=True)
training = torch.cuda.CUDAGraph()
with torch.cuda.graph(training):
    loss = model(x).sum()
    loss.backward()
show("a training step captured")
training.replay()
show("a training step replayed")
del first, second, third, y, z, w
show("graphs dropped")
torch.cuda.empty_cache()
show("cache emptied")
called = torch.cuda.make_graphed_callables(nn.Linear(1024, 1024).cuda(), (torch.randn(64, 1024, device="cuda"),))
show("make_graphed_callables")
called(torch.randn(64, 1024, device="cuda")).sum().backward()
show("called")
torch.cuda.empty_cache()
show("cache emptied again")
