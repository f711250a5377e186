"""A multilayer perceptron trained with Adam for two epochs of 4,096 rows: what is reserved.

usage: mlp.py INPUT BATCH LAYER...
LAYER: linear:WIDTH, batchnorm, dropout, or an activation of torch.nn. A summary pass over two rows comes first.
"""

import sys

import torch
from torch import nn


def build(inputs, layers):
    parts, width = [], inputs
    for layer in layers:
        name, _, size = layer.partition(":")
        if name == "linear":
            parts.append(nn.Linear(width, int(size)))
            width = int(size)
        elif name == "batchnorm":
            parts.append(nn.BatchNorm1d(width))
        elif name == "dropout":
            parts.append(nn.Dropout(0.2))
        elif name == "Softmax":
            parts.append(nn.Softmax(dim=1))
        else:
            parts.append(getattr(nn, name)())
    return nn.Sequential(*parts), width


inputs, rows = int(sys.argv[1]), int(sys.argv[2])
model, outputs = build(inputs, sys.argv[3:])
model = model.to("cuda")
model(torch.rand(2, inputs).to("cuda"))
data = torch.randn(4096, inputs)
labels = torch.randint(0, max(outputs, 2), (4096,))
criterion = nn.CrossEntropyLoss() if outputs > 1 else nn.BCELoss()
optimizer = torch.optim.Adam(model.parameters())
for _ in range(2):
    for first in range(0, 4096, rows):
        x, y = data[first : first + rows].to("cuda"), labels[first : first + rows].to("cuda")
        optimizer.zero_grad()
        out = model(x)
        loss = criterion(out, y) if outputs > 1 else criterion(out.squeeze(1), y.float())
        loss.backward()
        optimizer.step()
print(f"reserved\t{torch.cuda.memory_reserved()}")
