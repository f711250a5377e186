import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


import torch.nn as nn
import torch.nn.utils.parametrize as P
from torch.nn.utils import parametrizations, parameters_to_vector, vector_to_parameters, clip_grad_norm_

lazy = nn.Sequential(nn.LazyLinear(30), nn.ReLU(), nn.LazyBatchNorm1d(), nn.LazyLinear(10)).cuda()
mem("lazy")
y = lazy(torch.randn(8, 77, device="cuda"))
mem("materialised")
print(type(lazy[0]).__name__, lazy[0].weight.shape, lazy[2].running_mean.device)
y.sum().backward()
del y
x = torch.randn(16, 100, device="cuda")
l = parametrizations.spectral_norm(nn.Linear(100, 50).cuda())
l(x).sum().backward()
mem("spectral norm")
l.eval()
l(x)
mem("eval")
P.remove_parametrizations(l, "weight", leave_parametrized=True)
mem("removed")

class Square(nn.Module):
    def forward(self, w):
        return w ** 2

    def right_inverse(self, w):
        return w.sqrt()

l = nn.Linear(100, 50).cuda()
P.register_parametrization(l, "weight", Square())
l.weight = torch.ones(50, 100, device="cuda")
mem("assigned through the inverse")
print(P.is_parametrized(l), l)
m = nn.Linear(100, 50).cuda()
v = parameters_to_vector(m.parameters())
vector_to_parameters(v, m.parameters())
mem("vector and back")
m(x).sum().backward()
clip_grad_norm_(m.parameters(), 1.0)
mem("clipped")
