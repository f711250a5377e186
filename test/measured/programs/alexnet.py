"""AlexNet in evaluation mode, one forward without gradients: the peak.

usage: alexnet.py BATCH
"""

import sys

import torch
from torch import nn

batch = int(sys.argv[1])


def block(inputs, outputs, size, pool, **how):
    layers = [nn.Conv2d(inputs, outputs, size, **how), nn.ReLU(inplace=True)]
    return layers + [nn.MaxPool2d(3, 2)] if pool else layers


net = nn.Sequential(
    *block(3, 64, 11, True, stride=4, padding=2),
    *block(64, 192, 5, True, padding=2),
    *block(192, 384, 3, False, padding=1),
    *block(384, 256, 3, False, padding=1),
    *block(256, 256, 3, True, padding=1),
    nn.AdaptiveAvgPool2d(6),
    nn.Flatten(),
    nn.Dropout(),
    nn.Linear(256 * 6 * 6, 4096),
    nn.ReLU(inplace=True),
    nn.Dropout(),
    nn.Linear(4096, 4096),
    nn.ReLU(inplace=True),
    nn.Linear(4096, 1000),
).to("cuda")
net.eval()
images = torch.randn(batch, 3, 224, 224, device="cuda")
with torch.no_grad():
    net(images)
print(f"batch {batch}\t{torch.cuda.max_memory_allocated()}")
