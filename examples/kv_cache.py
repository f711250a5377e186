"""Generating token by token with a key-value cache: a tensor that grows by concatenation against one that is there from the start.

What it shows: `torch.cat` needs the old and the new cache at the same time, and every step asks for a slightly larger
block than any that was freed, so reserved memory runs ahead of allocated; a cache of the final size does neither.

Run it with `vramscope run examples/kv_cache.py` and `vramscope run examples/kv_cache.py -- --static`.
"""

import argparse

import torch
import torch.nn.functional as F

MIB = 1024 * 1024
BATCH, HEADS, HEAD_DIM, LAYERS, PROMPT, STEPS = 16, 32, 128, 4, 1024, 128

parser = argparse.ArgumentParser()
parser.add_argument("--static", action="store_true")
options = parser.parse_args()


def heads(length):
    return torch.randn(BATCH, HEADS, length, HEAD_DIM, device="cuda", dtype=torch.float16)


def room():
    return torch.empty(BATCH, HEADS, PROMPT + STEPS, HEAD_DIM, device="cuda", dtype=torch.float16)


@torch.inference_mode()
def growing():
    cache = [(heads(PROMPT), heads(PROMPT)) for _ in range(LAYERS)]
    for _ in range(STEPS):
        for i, (keys, values) in enumerate(cache):
            keys = torch.cat([keys, heads(1)], dim=2)
            values = torch.cat([values, heads(1)], dim=2)
            cache[i] = (keys, values)
            F.scaled_dot_product_attention(heads(1), keys, values)


@torch.inference_mode()
def static():
    cache = [(room(), room()) for _ in range(LAYERS)]
    for length in range(PROMPT, PROMPT + STEPS):
        for keys, values in cache:
            keys[:, :, length] = heads(1)[:, :, 0]
            values[:, :, length] = heads(1)[:, :, 0]
            F.scaled_dot_product_attention(heads(1), keys[:, :, : length + 1], values[:, :, : length + 1])


(static if options.static else growing)()
print(f"peak allocated {torch.cuda.max_memory_allocated() / MIB:.2f} MiB")
print(f"peak reserved  {torch.cuda.max_memory_reserved() / MIB:.2f} MiB")
