import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

logits = torch.randn(8, 1000, device="cuda")
vals, idx = torch.sort(logits, descending=True)
mem("sorted")
cum = vals.softmax(-1).cumsum(-1)
mem("cumulative")
drop = cum > 0.9
drop[..., 1:] = drop[..., :-1].clone()
drop[..., 0] = False
mem("shifted")
mask = drop.scatter(1, idx, drop)
logits = logits.masked_fill(mask, float("-inf"))
mem("masked")
tok = torch.argmax(logits, -1)
mem("token")
