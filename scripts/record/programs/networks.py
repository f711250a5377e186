"""One of torchvision's networks: three training steps and an evaluation.

usage: networks.py NAME BATCH float32|autocast|last|benchmark|bfloat16 [SIDE]    last: autocast with channels last
"""

from __future__ import annotations

import sys
from contextlib import nullcontext

import torch
import torchvision
from torch.nn import functional as F

name, batch, how = sys.argv[1], int(sys.argv[2]), sys.argv[3]
side = int(sys.argv[4]) if len(sys.argv) > 4 else 224
torch.manual_seed(0)
torch.backends.cudnn.benchmark = how == "benchmark"


def show(phase: str) -> None:
    c = torch.cuda
    c.synchronize()
    free, total = c.mem_get_info()
    print(f"{phase}\t{c.memory_allocated()}\t{c.max_memory_allocated()}\t{c.memory_reserved()}", flush=True)
    print(f"context\t{phase}\t-1\tdevice\t{c.memory_reserved()}\t{total - free}", flush=True)
    c.reset_peak_memory_stats()


model = getattr(torchvision.models, name)(num_classes=1000).cuda()
images = torch.randn(batch, 3, side, side, device="cuda")
labels = torch.randint(0, 1000, (batch,), device="cuda")
if how == "last":
    model, images = model.to(memory_format=torch.channels_last), images.to(memory_format=torch.channels_last)
if how == "bfloat16":
    model, images = model.bfloat16(), images.bfloat16()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
mixed = torch.autocast("cuda", torch.bfloat16) if how in ("autocast", "last") else nullcontext()
show("model")
for step in range(3):
    with mixed:
        output = model(images)
        loss = F.cross_entropy(output[0] if isinstance(output, tuple) else output, labels)
    show(f"forward {step}")
    loss.backward()
    show(f"backward {step}")
    optimizer.step()
    optimizer.zero_grad()
    show(f"step {step}")
del output, loss
model.eval()
with torch.no_grad(), mixed:
    model(images)
show("evaluation")
