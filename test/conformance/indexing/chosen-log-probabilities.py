import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

logits = torch.randn(6, 40, 300, device="cuda", requires_grad=True)
labels = torch.randint(0, 300, (6, 40), device="cuda")
mem("start")
logp = logits.log_softmax(-1)
mem("log_softmax")
chosen = logp.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
mem("gather")
mask = labels[:, 1:] > 10
loss = -(chosen[:, 1:] * mask).sum() / mask.sum()
mem("loss")
loss.backward()
mem("backward")
