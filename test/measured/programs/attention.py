"""Attention over (8, length, width) in float32, as two courses' students measured it.

usage: attention.py soft|spelled LENGTH...
soft: torch.softmax, leaves made on the CPU and moved, so that their gradients are on the CPU.
spelled: softmax in elementary steps, leaves on the GPU, the last result of the warm-up still has a name.
Prints memory_allocated() after one forward pass, with its graph alive.
"""

import gc
import math
import sys

import torch

WIDTHS = (16, 32, 64, 128)


def say(point, value):
    print(f"{point}\t{value}")


def soft_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, dim=-1) @ v


def spelled_attention(q, k, v):
    scores = torch.einsum("nid,njd->nij", q, k) / math.sqrt(q.shape[-1])
    powers = torch.exp(scores - torch.max(scores, dim=-1, keepdim=True)[0])
    weights = powers / torch.sum(powers, dim=-1, keepdim=True)
    del scores, powers
    return torch.einsum("nij,njd->nid", weights, v)


def measure_soft(length, width):
    on_cpu = [torch.randn(8, length, width, requires_grad=True) for _ in "qkv"]
    q, k, v = (t.to("cuda") for t in on_cpu)
    for _ in range(5):
        soft_attention(q, k, v).sum().backward()
    out = soft_attention(q, k, v)
    found = torch.cuda.memory_allocated()
    out.sum().backward()
    return found


def measure_spelled(length, width, attention):
    leaves = [torch.randn(8, length, width, device="cuda", requires_grad=True) for _ in "qkv"]
    upstream = torch.randn_like(leaves[0])
    for _ in range(5):
        last = attention(*leaves)
        last.backward(upstream)
        for leaf in leaves:
            leaf.grad = None
    gc.collect()
    torch.cuda.empty_cache()
    for _ in range(8):
        attention(*leaves)
    gc.collect()
    torch.cuda.empty_cache()
    out = attention(*leaves)
    return torch.cuda.memory_allocated()


kind, lengths = sys.argv[1], [int(a) for a in sys.argv[2:]]
for length in lengths:
    for width in WIDTHS:
        try:
            if kind == "soft":
                found = measure_soft(length, width)
            else:
                attention = torch.compile(spelled_attention) if kind == "compiled" else spelled_attention
                found = measure_spelled(length, width, attention)
        except torch.cuda.OutOfMemoryError:
            found = "out of memory"
        say(f"s={length} d={width}", found)
        gc.collect()
        torch.cuda.empty_cache()
