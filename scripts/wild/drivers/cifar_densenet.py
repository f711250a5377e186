# kuangliu/pytorch-cifar: models
import torch
from models import densenet_cifar
from steps import train

x, y = torch.randn(8, 3, 32, 32, device="cuda"), torch.randint(0, 10, (8,), device="cuda")
train(densenet_cifar(), lambda model: torch.nn.functional.cross_entropy(model(x), y))
