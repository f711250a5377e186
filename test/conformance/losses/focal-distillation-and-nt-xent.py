import torch, torch.nn as nn
import torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
def focal(logits, t, g=2.0):
    ce = F.cross_entropy(logits, t, reduction="none")
    p = torch.exp(-ce)
    return ((1 - p) ** g * ce).mean()
def nt_xent(z, tau=0.5):
    z = F.normalize(z, dim=1)
    s = z @ z.t() / tau
    s = s.masked_fill(torch.eye(z.size(0), dtype=torch.bool, device=z.device), float("-inf"))
    n = z.size(0) // 2
    return F.cross_entropy(s, torch.arange(2 * n, device=z.device).roll(n))
x = torch.randn(120, 75, device="cuda", requires_grad=True)
t = torch.randint(0, 75, (120,), device="cuda")
l = focal(x, t); mem("focal"); l.backward(); mem("bwd"); x.grad = None; del l
l = nt_xent(x); mem("nt-xent"); l.backward(); mem("bwd"); x.grad = None; del l
T = 3.0
teacher = torch.randn(120, 75, device="cuda")
l = F.kl_div(F.log_softmax(x / T, 1), F.softmax(teacher / T, 1), reduction="batchmean") * T * T + F.cross_entropy(x, t); mem("distill")
l.backward(); mem("bwd"); x.grad = None; del l
l = -(F.log_softmax(x, -1).gather(1, t[:, None])).mean(); mem("gather nll"); l.backward(); mem("bwd"); x.grad = None; del l
l = (x.logsumexp(1) - x[torch.arange(120, device="cuda"), t]).mean(); mem("logsumexp"); l.backward(); mem("bwd")
