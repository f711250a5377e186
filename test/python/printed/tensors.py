import math

import torch

for v in [[1.0, math.inf], [math.nan, 1.0], [1e10, 1.0], [1e-5, 2.0], [-math.inf, 0.0], [0.0, 0.0]]:
    print(torch.tensor(v))
print(torch.full((2, 2), float("-inf")).triu(1), torch.eye(3), torch.tensor([-1.5, float("nan"), float("inf")]))
print(torch.arange(30), torch.arange(24).reshape(2, 3, 4), torch.arange(200).reshape(10, 20))
print(torch.tensor([[1.5, -2.25], [1000.5, 0.0]]), torch.linspace(0, 1, 40), torch.tensor([1e-7, 1.0]))
print(torch.tensor(3.5), torch.tensor(2), torch.tensor(True), torch.zeros(0), torch.zeros(0, 3), torch.tensor([True, False]))
print(torch.tensor([1.0, 2.0]).half(), torch.tensor([1, 2], dtype=torch.int32), torch.ones(2, dtype=torch.float64))
print(torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([0.5, 3.0], requires_grad=True) * 2)
torch.set_printoptions(precision=2)
print(torch.tensor([0.12345, 2.0]))
torch.set_printoptions(profile="default", linewidth=40)
print(torch.arange(30.0), torch.arange(9.0, requires_grad=True) * 1.5)
