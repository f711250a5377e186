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

from torch.utils.checkpoint import create_selective_checkpoint_contexts, CheckpointPolicy
from functools import partial
ops = [torch.ops.aten.mm.default, torch.ops.aten.addmm.default]
net = nn.ModuleList(Block(128) for _ in range(3)).cuda()
x = torch.randn(60, 128, device="cuda", requires_grad=True)
mem("built")
h = x
for b in net:
    h = checkpoint(b, h, use_reentrant=False, context_fn=partial(create_selective_checkpoint_contexts, ops)); mem("forward")
h.sum().backward(); mem("backward")
net.zero_grad(); x.grad = None; del h
def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op == torch.ops.aten.gelu.default else CheckpointPolicy.PREFER_RECOMPUTE
h = x
for b in net:
    h = checkpoint(b, h, use_reentrant=False, context_fn=lambda: create_selective_checkpoint_contexts(policy)); mem("forward")
h.sum().backward(); mem("backward")
