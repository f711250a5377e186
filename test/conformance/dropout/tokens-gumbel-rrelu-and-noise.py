import torch, torch.nn as nn
import torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(8, 40, 300, device="cuda", requires_grad=True)
def cutoff(x, p):
    mask = torch.rand(x.shape[:2], device=x.device) < p
    return x.masked_fill(mask.unsqueeze(-1), 0.0)
y = cutoff(x, 0.2); mem("token dropout")
y.sum().backward(); mem("bwd"); x.grad = None
g = F.gumbel_softmax(x, tau=0.7); mem("gumbel")
g.sum().backward(); mem("bwd"); x.grad = None; del g, y
g = F.gumbel_softmax(x, tau=0.7, hard=True); mem("gumbel hard")
g.sum().backward(); mem("bwd"); x.grad = None; del g
r = F.rrelu(x, training=True); mem("rrelu")
r.sum().backward(); mem("bwd"); x.grad = None; del r
n = x + 0.1 * torch.randn_like(x); mem("noise")
n.sum().backward(); mem("bwd")
