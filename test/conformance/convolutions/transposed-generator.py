import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

g = nn.Sequential(nn.ConvTranspose2d(32, 32, 4, 1, 0, bias=False), nn.BatchNorm2d(32), nn.ReLU(True), nn.ConvTranspose2d(32, 16, 4, 2, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(True),
                  nn.ConvTranspose2d(16, 3, 4, 2, 1), nn.Tanh()).cuda()
z = torch.randn(6, 32, 1, 1, device="cuda")
mem("built")
img = g(z)
mem(f"generated {tuple(img.shape)}")
img.mean().backward()
mem("backward")
