"""Self-attention through `scaled_dot_product_attention`: one fused kernel instead of four operators.

What it shows: the fused kernel keeps q, k, v, its output and a few statistics for backward; the scores, their softmax and
the contiguous copies of the operands of `attention.py` are gone. With float32 tensors PyTorch picks the memory-efficient
kernel; flash attention itself wants 16 bits (`--half`).

Run it with `vramscope run examples/attention_flash.py` or `vramscope run examples/attention_flash.py -- --half`;
`--attention math` shows what the same call costs without a fused kernel.
"""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from einops import rearrange

MIB = 1024 * 1024
last = 0.0


def report(point):
    global last
    now = torch.cuda.memory_allocated() / MIB
    print(f"{point:<40}{now:8.2f} MiB   change {now - last:6.2f}")
    last = now


class FlashAttention(nn.Module):
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
        qkv = rearrange(qkv, "B L (K H D) -> K B H L D", K=3, H=self.heads)
        q, k, v = qkv[0], qkv[1], qkv[2]
        x = F.scaled_dot_product_attention(q, k, v, dropout_p=self.dropout if self.training else 0.0)
        report("after scaled_dot_product_attention")
        x = x.transpose(1, 2).reshape(B, L, C)
        report("after transpose, reshape")
        x = self.proj_drop(self.proj(x))
        report("after proj")
        return x


half = "--half" in sys.argv
device, dtype = "cuda", torch.float16 if half else torch.float32
module = FlashAttention().to(device, dtype)
x = torch.randn(64, 32, 512).to(device, dtype)
torch.cuda.reset_peak_memory_stats()
initial = torch.cuda.memory_allocated() / MIB
with torch.autograd.profiler.profile(profile_memory=True, record_shapes=True) as prof:
    y = module(x)
report("final, after the call returned")
print(f"peak {torch.cuda.max_memory_allocated() / MIB:.2f} MiB")
print(f"activation memory {torch.cuda.memory_allocated() / MIB - initial:.2f} MiB")
print(prof.key_averages().table(sort_by="self_cuda_memory_usage", row_limit=10))
