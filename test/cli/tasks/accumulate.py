import torch
from torch import nn

model = nn.Sequential(nn.Linear(1024, 4096), nn.GELU(), nn.Linear(4096, 1024)).cuda()
optimizer = torch.optim.AdamW(model.parameters())
for micro in range(4):
    x = torch.randn(2048, 1024, device="cuda")
    (model(x).square().mean() / 4).backward()
optimizer.step()
