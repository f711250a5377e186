"""Blocks without norms, computed again: what makes their activation's gradient makes the activation, too."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Blocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Linear(1024, 4096), nn.GELU(), nn.Linear(4096, 1024)) for _ in range(3)
        )

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
        return x


def show(phase):
    """Bytes as they were asked for: where blocks lie, and what is left of them, is the allocator's."""
    stats = torch.cuda.memory_stats()
    print(phase, stats["requested_bytes.all.current"], stats["requested_bytes.all.peak"])
    torch.cuda.reset_peak_memory_stats()


model = Blocks().cuda()
compiled = torch.compile(model)
x = torch.randn(4096, 1024, device="cuda", requires_grad=True)
for _ in range(2):
    loss = compiled(x).sum()
    show("forward")
    loss.backward()
    show("backward")
