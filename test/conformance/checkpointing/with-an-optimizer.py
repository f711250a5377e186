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

net = nn.ModuleList(Block(112) for _ in range(3)).cuda()
opt = torch.optim.AdamW(net.parameters())
x = torch.randn(4, 50, 112, device="cuda")
mem("built")
for step in range(3):
    h = x
    for b in net:
        h = checkpoint(b, h, use_reentrant=False)
    loss = h.float().square().mean(); mem("loss")
    loss.backward(); mem("backward")
    opt.step(); mem("step")
    opt.zero_grad(); mem("zero")
for step in range(2):
    h = x.detach().requires_grad_()
    for b in net:
        h = checkpoint(b, h, use_reentrant=True)
    loss = h.square().mean(); mem("reentrant loss")
    loss.backward(); mem("backward")
    opt.step(); opt.zero_grad(); mem("step")
