"""Self-attention as articles show it: where does its memory go, line by line?

Run it with `vramscope run examples/attention.py`. Rules of PyTorch 1.13 (`--torch 1.13`) give the figures that the
article printed on its GPU.
"""

import torch
import torch.nn as nn
from einops import rearrange

MIB = 1024 * 1024
last = 0.0


def report(point):
    global last
    now = torch.cuda.memory_allocated() / MIB
    print(f"{point:<40}{now:8.2f} MiB   change {now - last:6.2f}")
    last = now


class Attention(nn.Module):
    def __init__(self, width=512, heads=8, dropout=0.0):
        super().__init__()
        self.heads = heads
        self.scale = (width // heads) ** -0.5
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.attn_drop = nn.Dropout(dropout)
        self.proj = nn.Linear(width, width)
        self.proj_drop = nn.Dropout(dropout)

    def forward(self, x):
        B, L, C = x.shape
        report("before qkv")
        qkv = self.qkv(x)
        report("after qkv")
        qkv = rearrange(qkv, "B L (K H D) -> K B H L D", K=3, H=self.heads)
        report("after rearrange")
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = (q @ k.transpose(-2, -1)) * self.scale
        report("after matmul and scale")
        attn = attn.softmax(dim=-1)
        report("after softmax")
        attn = self.attn_drop(attn)
        report("after dropout")
        x = (attn @ v).transpose(1, 2).reshape(B, L, C)
        report("after attn @ v, transpose, reshape")
        report("before proj")
        x = self.proj(x)
        report("after proj")
        x = self.proj_drop(x)
        report("after proj dropout")
        return x


device = "cuda"
report("before the module is built")
module = Attention().to(device)
x = torch.randn(64, 32, 512).to(device)
torch.cuda.reset_peak_memory_stats()
initial = torch.cuda.memory_allocated() / MIB
y = module(x)
report("final, after the call returned")
print(f"peak {torch.cuda.max_memory_allocated() / MIB:.2f} MiB")
print(f"activation memory {torch.cuda.memory_allocated() / MIB - initial:.2f} MiB")
