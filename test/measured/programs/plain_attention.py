"""Plain float32 attention over (1, length, width), forward and backward: the peak with its inputs.

usage: plain_attention.py forward|backward LENGTH:WIDTH...
"""

import sys

import torch


def attend(q, k, v):
    return (q @ k.transpose(-2, -1)).softmax(-1) @ v


def measure(backward, length, width):
    torch.cuda.empty_cache()
    q, k, v = (torch.rand(1, length, width, device="cuda", requires_grad=backward) for _ in "qkv")
    if backward:
        out = attend(q, k, v)
        ones = torch.ones_like(out)
        out.backward(ones, retain_graph=True)
    else:
        attend(q, k, v)
    torch.cuda.reset_peak_memory_stats()
    if backward:
        out.backward(ones, retain_graph=True)
    else:
        attend(q, k, v)
    return torch.cuda.max_memory_allocated()


for size in sys.argv[2:]:
    length, width = (int(part) for part in size.split(":"))
    print(f"{size}\t{measure(sys.argv[1] == 'backward', length, width)}")
