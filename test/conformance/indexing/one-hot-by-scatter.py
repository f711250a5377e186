import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

idx = torch.randint(0, 50, (64, 5), device="cuda")
hot = torch.zeros(64, 50, device="cuda").scatter_(1, idx, 1.0)
mem("multi-hot")
w = torch.randn(50, 24, device="cuda", requires_grad=True)
out = hot @ w
mem("product")
counts = torch.zeros(50, device="cuda").scatter_add_(0, idx.flatten(), torch.ones(320, device="cuda"))
mem("counts")
s = torch.randn(64, 5, device="cuda", requires_grad=True)
soft = torch.zeros(64, 50, device="cuda").scatter(1, idx, s)
mem("scattered scores")
(out.sum() + (soft * counts).sum()).backward()
mem("backward")
