"""A training loop that keeps what it should let go: the snapshot of this run is the viewer's sample."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(1024, 4096), nn.GELU(), nn.Linear(4096, 1024)).cuda()
optimizer = torch.optim.AdamW(model.parameters())
history = []


def step():
    x = torch.randn(4096, 1024, device="cuda")
    out = model(x)
    loss = out.square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    history.append(out)


for _ in range(8):
    step()
