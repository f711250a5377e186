import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

cache = torch.zeros(2, 4, 8, 64, 32, device="cuda")
mem("cache")
for t in range(6):
    k = torch.randn(4, 8, 1, 32, device="cuda")
    cache[0][:, :, t:t + 1] = k
    cache[1, :, :, t] = k.squeeze(2) * 2
    seen = cache[0, :, :, : t + 1]
    score = (k @ seen.transpose(-1, -2)).softmax(-1)
    mem(f"step {t} {tuple(score.shape)}")
