"""Self-attention through xformers' `memory_efficient_attention`, which takes B L H D and needs no transposed copies.

What it shows: the operator reads q, k and v as slices of one qkv tensor, and its output is already B L H D, so that neither
side is copied. Compare with `attention.py` and `attention_flash.py`.

Run it with `vramscope run examples/attention_xformers.py`; xformers itself is not needed.
"""

import torch
import torch.nn as nn
from einops import rearrange
from xformers.ops import memory_efficient_attention

MIB = 1024 * 1024
last = 0.0


def report(point):
    global last
    now = torch.cuda.memory_allocated() / MIB
    print(f"{point:<40}{now:8.2f} MiB   change {now - last:6.2f}")
    last = now


class MemoryEfficientAttention(nn.Module):
    def __init__(self, width=512, heads=8, dropout=0.0):
        super().__init__()
        self.heads = heads
        self.dropout = dropout
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.proj = nn.Linear(width, width)
        self.proj_drop = nn.Dropout(dropout)

    def forward(self, x):
        B, L, C = x.shape
        report("before qkv")
        qkv = self.qkv(x)
        report("after qkv")
        qkv = rearrange(qkv, "B L (K H D) -> K B L H D", K=3, H=self.heads)
        q, k, v = qkv[0], qkv[1], qkv[2]
        x = memory_efficient_attention(q, k, v, p=self.dropout if self.training else 0.0)
        report("after memory_efficient_attention")
        x = x.reshape(B, L, C)
        x = self.proj_drop(self.proj(x))
        report("after proj")
        return x


device = "cuda"
module = MemoryEfficientAttention().to(device)
x = torch.randn(64, 32, 512).to(device)
torch.cuda.reset_peak_memory_stats()
initial = torch.cuda.memory_allocated() / MIB
y = module(x)
report("final, after the call returned")
print(f"peak {torch.cuda.max_memory_allocated() / MIB:.2f} MiB")
print(f"activation memory {torch.cuda.memory_allocated() / MIB - initial:.2f} MiB")
