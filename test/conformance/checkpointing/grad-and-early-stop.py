import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class Block(nn.Module):
    def __init__(self, d, p=0.0):
        super().__init__()
        self.n = nn.LayerNorm(d)
        self.a, self.b = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.p = p
    def forward(self, x):
        return x + F.dropout(self.b(F.gelu(self.a(self.n(x)))), self.p, self.training)

x = torch.randn(120, 80, device="cuda", requires_grad=True)
w = torch.randn(80, 80, device="cuda", requires_grad=True)
f = lambda a, b: torch.exp(torch.sin(a @ b)).relu()
mem("start")
y = checkpoint(f, x, w, use_reentrant=False); mem("forward")
g = torch.autograd.grad(y.sum(), [x, w], retain_graph=True); mem("grad retained")
del g
g = torch.autograd.grad(y.sum(), [x, w]); mem("grad again")
del g, y
from torch.utils.checkpoint import set_checkpoint_early_stop
for stop in (True, False):
    with set_checkpoint_early_stop(stop):
        y = checkpoint(f, x, w, use_reentrant=False)
    y.sum().backward(); mem(f"early stop {stop}")
    del y
y = checkpoint(lambda a: (a @ w).softmax(-1), x, use_reentrant=False, preserve_rng_state=False); mem("softmax")
y[:, 0].sum().backward(); mem("backward")
y = checkpoint(lambda a: F.layer_norm(F.linear(a, w), (80,)), x, use_reentrant=False, determinism_check="none"); mem("norm")
y.mean().backward(); mem("backward")
