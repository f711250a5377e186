import torch
from torch import nn

model = torch.compile(nn.Linear(1024, 1024).cuda())
model(torch.randn(512, 1024, device="cuda")).sum().backward()
