"""The MLP of a Transformer layer as papers on activation memory count it: 16-bit, GELU, dropout on the output."""

import torch
from torch import nn

b = 4  # batch
s = 128  # sequence
d = 512  # hidden

model = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d), nn.Dropout(0.1))
model.to("cuda", torch.bfloat16)
x = torch.randn(s, b, d, device="cuda", dtype=torch.bfloat16)
model(x).sum().backward()
