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

net = nn.ModuleList(Block(100) for _ in range(3)).cuda()
x = torch.randn(90, 100, device="cuda", requires_grad=True)
mem("built")
for dt in (torch.float16, torch.bfloat16):
    for re in (False, True):
        with torch.autocast("cuda", dtype=dt):
            h = x
            for b in net:
                h = checkpoint(b, h, use_reentrant=re)
                mem("forward")
            loss = h.sum()
        loss.backward(); mem("backward")
        net.zero_grad(); x.grad = None
        del h, loss
with torch.autocast("cuda", dtype=torch.bfloat16):
    h = x
    for b in net:
        h = checkpoint(b, h, use_reentrant=False)
    h.sum().backward(); mem("backward inside autocast")
mem("end")
