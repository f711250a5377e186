# kuangliu/pytorch-cifar: models
import torch
from models import ResNet18
from steps import train

x, y = torch.randn(8, 3, 32, 32, device="cuda"), torch.randint(0, 10, (8,), device="cuda")
resnet = ResNet18()
sgd = torch.optim.SGD(resnet.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
train(resnet, lambda model: torch.nn.functional.cross_entropy(model(x), y), sgd)
