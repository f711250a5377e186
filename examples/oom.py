"""A batch that is too large: the program ends where it would end on the GPU, with PyTorch's own message.

What it shows: the traceback points at the line whose request failed, the report says what was allocated then, and the exit
status is 1, so that a CI job fails.

Run it with `vramscope run --gpu t4 examples/oom.py`; with `-- --batch 256` it fits.
"""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int, default=4096)
options = parser.parse_args()

model = nn.Sequential(*[nn.Sequential(nn.Linear(4096, 16384), nn.ReLU(), nn.Linear(16384, 4096)) for _ in range(8)]).cuda()
x = torch.randn(8 * options.batch, 4096, device="cuda")
loss = model(x).square().mean()
loss.backward()
print(f"peak {torch.cuda.max_memory_allocated() / 1024**3:.2f} GiB")
