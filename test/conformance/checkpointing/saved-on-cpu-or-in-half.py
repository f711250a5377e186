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

lin = nn.Sequential(nn.Linear(256, 512), nn.Tanh(), nn.Linear(512, 256)).cuda()
x = torch.randn(100, 256, device="cuda", requires_grad=True)
mem("start")
with torch.autograd.graph.save_on_cpu():
    y = lin(x); mem("save_on_cpu")
y.sum().backward(); mem("backward")
lin.zero_grad(); x.grad = None; del y
def pack(t):
    return t.half() if t.dtype == torch.float32 and t.dim() == 2 else t
def unpack(t):
    return t.float()
with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
    y = lin(x); mem("half saved")
y.sum().backward(); mem("backward")
lin.zero_grad(); x.grad = None; del y
with torch.autograd.graph.save_on_cpu():
    y = checkpoint(lin, x, use_reentrant=False); mem("both")
y.sum().backward(); mem("backward")
lin.zero_grad(); x.grad = None; del y
with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
    y = lin(x).relu(); mem("identity")
y.sum().backward(); mem("backward")
