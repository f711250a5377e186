import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(20, 30, device="cuda", requires_grad=True)
order = x.detach().argsort(-1)
mem("order")
y = torch.take_along_dim(x, order[:, :5], dim=1)
mem("along")
z = x.take(order[:, 0])
mem("take")
q = x.index_put((order[:, 0] % 20,), torch.zeros(30, device="cuda"), accumulate=True)
mem("put")
(y.sum() + z.sum() + q.sum()).backward()
mem("backward")
