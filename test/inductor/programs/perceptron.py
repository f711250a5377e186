"""A perceptron with a norm, trained in three steps, and one layer whose gradient is expanded: compiled code reads a copy of it."""

import torch
from torch import nn


def show(phase):
    """Bytes as they were asked for: where blocks lie, and what is left of them, is the allocator's."""
    stats = torch.cuda.memory_stats()
    print(phase, stats["requested_bytes.all.current"], stats["requested_bytes.all.peak"])
    torch.cuda.reset_peak_memory_stats()


layer = torch.compile(nn.Linear(1024, 1024).cuda())
layer(torch.randn(512, 1024, device="cuda")).sum().backward()
show("layer")
model = nn.Sequential(
    nn.Linear(1024, 4096), nn.GELU(), nn.LayerNorm(4096), nn.Linear(4096, 1024), nn.Tanh(), nn.Linear(1024, 10)
).cuda()
compiled = torch.compile(model)
optimizer = torch.optim.Adam(model.parameters())
x = torch.randn(4096, 1024, device="cuda")
for _ in range(3):
    loss = compiled(x).pow(2).mean()
    show("forward")
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    show("step")
with torch.no_grad():
    compiled(x)
show("inference")
