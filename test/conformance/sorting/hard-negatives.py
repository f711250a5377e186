import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

logits = torch.randn(256, 10, device="cuda", requires_grad=True)
t = torch.randint(0, 10, (256,), device="cuda")
loss = F.cross_entropy(logits, t, reduction="none")
mem("losses")
hard, where = loss.topk(64)
mem("hard")
hard.mean().backward()
mem("backward")
acc = logits.detach().topk(5, dim=1).indices.eq(t[:, None]).any(1).float().mean()
mem("top-5 accuracy")
