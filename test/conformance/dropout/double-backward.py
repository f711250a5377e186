import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(60, 70, device="cuda", requires_grad=True)
w = torch.randn(70, 70, device="cuda", requires_grad=True)
y = nn.functional.dropout(torch.tanh(x @ w), 0.2).sum(); mem("fwd")
gx, = torch.autograd.grad(y, x, create_graph=True); mem("grad")
(gx ** 2).sum().backward(); mem("double bwd")
del y, gx; mem("end")
