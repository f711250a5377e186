import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(50, 333, device="cuda", requires_grad=True)
for p in (0.0, 0.1, 0.5, 1.0):
    y = nn.Dropout(p)(x); mem(f"p {p}")
    y.sum().backward(); mem("bwd")
    x.grad = None; del y
y = nn.Dropout(0.3).eval()(x); mem("eval"); print(y is x)
z = nn.Dropout(0.3)(x.detach()); mem("no graph")
with torch.no_grad():
    z = nn.Dropout(0.3)(x); mem("no grad")
i = nn.Dropout(0.3, inplace=True)(x * 1); mem("inplace")
i.sum().backward(); mem("bwd")
