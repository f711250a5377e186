"""Writes the files that the test reads, by the real PyTorch (any release since 1.6): python write.py FOLDER."""

import collections
import sys

import torch

folder = sys.argv[1]
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(6, 4), torch.nn.BatchNorm1d(4))
optimizer = torch.optim.Adam(model.parameters())
model(torch.ones(3, 6)).sum().backward()
optimizer.step()
base = torch.arange(24, dtype=torch.int64)
saved = {
    "model": model.state_dict(),
    "optimizer": optimizer.state_dict(),
    "epoch": 7,
    "ordered": collections.OrderedDict(a=torch.tensor([1.5, -2.0, float("inf")]), b=torch.tensor(3, dtype=torch.int16)),
    "whole": base,
    "window": base.view(4, 6)[1:3, ::2],
    "turned": base.view(4, 6).t(),
    "half": torch.tensor([0.5, 2.0], dtype=torch.float16),
    "bytes": torch.tensor([0, 255], dtype=torch.uint8),
    "flags": torch.tensor([True, False, True]),
    "brain": torch.zeros(5, dtype=torch.bfloat16),
    "large": torch.zeros(50, 40),
    "parameter": torch.nn.Parameter(torch.ones(2)),
    "dtype": torch.float16,
    "size": torch.Size([2, 3]),
}
torch.save(saved, f"{folder}/archive.pt")
torch.save(saved, f"{folder}/legacy.pt", _use_new_zipfile_serialization=False)
