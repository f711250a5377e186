import torch, torch.nn as nn
import torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(30, 8, 40, device="cuda", requires_grad=True)
lp = x.log_softmax(2); mem("log_softmax")
z = x.softmax(-1); mem("softmax")
e = -(z * lp).sum(-1).mean(); mem("entropy")
e.backward(); mem("bwd"); x.grad = None; del lp, z, e
for d in (0, 1, 2):
    y = F.softmax(x, dim=d); y.pow(2).sum().backward(); mem(f"dim {d}"); x.grad = None
y = F.softmin(x, dim=1); mem("softmin"); y.square().sum().backward(); mem("bwd"); x.grad = None
y = x.transpose(0, 2).softmax(-1); mem("nc"); print(y.stride()); y.square().sum().backward(); mem("bwd"); x.grad = None
y = F.softmax(x.half(), dim=-1, dtype=torch.float32); mem("half to float"); y.square().sum().backward(); mem("bwd"); x.grad = None
y = F.log_softmax(x.bfloat16(), dim=-1, dtype=torch.float32); mem("bf16 to float"); y.square().sum().backward(); mem("bwd"); x.grad = None
y = nn.Softmax2d()(x.view(30, 8, 8, 5)); mem("2d"); y.square().sum().backward(); mem("bwd"); x.grad = None
y = F.logsigmoid(x); mem("logsigmoid"); y.sum().backward(); mem("bwd")
