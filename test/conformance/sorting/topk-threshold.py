import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

logits = torch.randn(4, 5000, device="cuda")
for k in (1, 10, 50):
    v, _ = torch.topk(logits, k)
    mem(f"top {k}")
    kept = torch.where(logits < v[:, [-1]], torch.full_like(logits, -1e9), logits)
    mem("kept")
