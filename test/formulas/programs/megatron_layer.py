"""A Transformer layer as Megatron-LM computes it on one GPU: fused query, key and value, layer norms before, dropout after."""

from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    sequence: int = 128
    batch: int = 4
    hidden: int = 512
    heads: int = 8
    layers: int = 1


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.qkv = nn.Linear(c.hidden, 3 * c.hidden)
        self.dense = nn.Linear(c.hidden, c.hidden)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        s, b, width = x.shape
        heads, each = self.c.heads, width // self.c.heads
        q, k, v = self.qkv(x).view(s, b, heads, 3 * each).split(each, dim=-1)
        q, k, v = (t.reshape(s, b * heads, each).transpose(0, 1) for t in (q, k, v))
        empty = torch.empty(b * heads, s, s, dtype=x.dtype, device=x.device)
        scores = torch.baddbmm(empty, q, k.transpose(1, 2), beta=0.0, alpha=each**-0.5)
        probabilities = self.dropout(torch.softmax(scores, dim=-1))
        context = torch.bmm(probabilities, v).transpose(0, 1).contiguous()
        return self.dense(context.view(s, b, width))


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.norm1 = nn.LayerNorm(c.hidden)
        self.attention = Attention(c)
        self.norm2 = nn.LayerNorm(c.hidden)
        self.up = nn.Linear(c.hidden, 4 * c.hidden)
        self.down = nn.Linear(4 * c.hidden, c.hidden)
        self.dropout1 = nn.Dropout(0.1)
        self.dropout2 = nn.Dropout(0.1)

    def forward(self, x):
        x = x + self.dropout1(self.attention(self.norm1(x)))
        return x + self.dropout2(self.down(nn.functional.gelu(self.up(self.norm2(x)))))


config = Config()
model = nn.Sequential(*(Layer(config) for _ in range(config.layers))).to("cuda", torch.bfloat16)
x = torch.randn(config.sequence, config.batch, config.hidden, device="cuda", dtype=torch.bfloat16)
model(x).sum().backward()
