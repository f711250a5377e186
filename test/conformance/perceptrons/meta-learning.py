import torch, torch.nn as nn
from torch.func import functional_call
m = nn.Sequential(nn.Linear(40, 80), nn.Tanh(), nn.Linear(80, 4)).cuda(); x, t = torch.randn(30, 40, device="cuda"), torch.randn(30, 4, device="cuda")
params = {k: v.detach().clone().requires_grad_() for k, v in m.named_parameters()}; print("copy", torch.cuda.memory_allocated())
def loss_of(p): return nn.functional.mse_loss(functional_call(m, p, (x,)), t)
for s in range(2):
    g = torch.autograd.grad(loss_of(params), list(params.values()), create_graph=True); print("inner", torch.cuda.memory_allocated())
    params = {k: p - 0.1 * gi for (k, p), gi in zip(params.items(), g)}; print("adapted", torch.cuda.memory_allocated())
outer = loss_of(params); outer.backward(); print("outer", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
