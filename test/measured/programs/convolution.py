"""One Conv2d(32, 32, 3) forward over (512, 32, 84, 84): the peak."""

import torch

x = torch.randn(512, 32, 84, 84, device="cuda")
layer = torch.nn.Conv2d(32, 32, 3).to("cuda")
y = layer(x)
print(f"forward\t{torch.cuda.max_memory_allocated()}")
