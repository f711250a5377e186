"""50,000 products of small matrices: the cost of one op with its allocation and free."""

import torch

a = torch.randn(64, 64, device="cuda")
b = torch.randn(64, 64, device="cuda")
for _ in range(50_000):
    c = a @ b
print(torch.cuda.memory_allocated())
