"""What a card says when it is full: pieces of a size until there is no room, then the error, retries and what is reserved.

usage: full_card.py MIB [SETTING]    SETTING: PYTORCH_CUDA_ALLOC_CONF
"""

from __future__ import annotations

import os
import re
import sys

if len(sys.argv) > 2:
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = os.environ["PYTORCH_ALLOC_CONF"] = sys.argv[2]

import torch

free, total = torch.cuda.mem_get_info()
print(f"context\tat the start\t-1\tdevice\t{torch.cuda.memory_reserved()}\t{total - free}")
print(f"total\t{torch.cuda.get_device_properties(0).total_memory}\t{total}")
size = int(sys.argv[1]) * 2**20
held: list = []


def fill() -> None:
    try:
        while True:
            held.append(torch.empty(size, dtype=torch.uint8, device="cuda"))
    except torch.OutOfMemoryError as problem:
        said = re.sub(r"Process \d+ has", "Process N has", str(problem))
        print(f"context\tmessage {len(held)}\t-1\tdevice\t0\t0\t{said}")
    stats = torch.cuda.memory_stats()
    print(f"context\tpieces\t-1\tdevice\t{torch.cuda.memory_reserved()}\t{len(held)}\t{stats['num_alloc_retries']}")


fill()
del held[::2]
print(f"half freed\t{torch.cuda.memory_allocated() // size}")
try:
    held.append(torch.empty(size * 3, dtype=torch.uint8, device="cuda"))
    print("three pieces\tfit")
except torch.OutOfMemoryError:
    print("three pieces\tdo not fit")
fill()
held.clear()
torch.cuda.empty_cache()
print(f"emptied\t{torch.cuda.memory_reserved()}")
