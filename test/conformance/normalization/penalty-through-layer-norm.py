import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
m = nn.Sequential(nn.Linear(64, 96), nn.LayerNorm(96), nn.Tanh(), nn.Linear(96, 1)).cuda()
x = torch.randn(40, 64, device="cuda", requires_grad=True)
mem("start")
y = m(x); mem("critic")
(g,) = torch.autograd.grad(y.sum(), x, create_graph=True); mem("gradient")
gp = ((g.norm(2, dim=1) - 1) ** 2).mean(); mem("penalty")
gp.backward(); mem("double backward")
del y, g, gp; mem("dropped")
for p in m.parameters(): p.grad = None
mem("no grads")
