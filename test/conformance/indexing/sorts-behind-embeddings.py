import time

import torch
import torch.nn.functional as F


def peak(tag, make):
    time.sleep(0.05)  # the thread of backward holds a gradient a moment longer
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    made = make()
    time.sleep(0.05)
    print(tag, torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before)
    del made


for rows, count in ((50000, 4096), (1000, 16384), (50000, 65536), (2000, 3072)):
    table = torch.zeros(rows, 8, device="cuda", requires_grad=True)
    ids = torch.zeros(count, dtype=torch.int64, device="cuda")
    found = F.embedding(ids, table)
    grad = torch.ones_like(found)
    peak(f"embedding {rows} {count}", lambda: torch.autograd.grad(found, table, grad))
    del found, grad, table, ids
for kind in (torch.float32, torch.bfloat16, torch.float64):
    for rows, length in ((1, 128256), (32, 32000), (300, 3000), (1, 15000)):
        x = torch.zeros(rows, length, device="cuda", dtype=kind)
        peak(f"topk {kind} {rows} {length}", lambda: x.topk(20))
for kind in (torch.int64, torch.float32):
    for length in (1000, 100000, 1000000):
        x = torch.zeros(length, device="cuda", dtype=kind)
        peak(f"cumsum {kind} {length}", lambda: x.cumsum(0))
x = torch.zeros(300, 2000, device="cuda", requires_grad=True)
ids = torch.zeros(5000, dtype=torch.int64, device="cuda")
rows = x[ids]
grad = torch.ones_like(rows)
peak("rows", lambda: torch.autograd.grad(rows, x, grad))
mask = torch.zeros(300, 2000, dtype=torch.bool, device="cuda")
source = torch.zeros(300, 2000, device="cuda")
peak("masked_scatter", lambda: source.masked_scatter(mask, source))
print("end", torch.cuda.memory_allocated())
