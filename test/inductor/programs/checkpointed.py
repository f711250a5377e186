"""Blocks under autocast, with and without checkpointing, and a compiled step of the optimizer."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

WIDTH = 1024


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.dropout = nn.LayerNorm(WIDTH), nn.Dropout(0.1)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        return x + self.dropout(self.down(F.gelu(self.up(self.norm(x)))))


class Blocks(nn.Module):
    def __init__(self, again):
        super().__init__()
        self.again = again
        self.blocks = nn.ModuleList(Block() for _ in range(3))

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.again else block(x)
        return x


def show(phase):
    """Bytes as they were asked for: where blocks lie, and what is left of them, is the allocator's."""
    stats = torch.cuda.memory_stats()
    print(phase, stats["requested_bytes.all.current"], stats["requested_bytes.all.peak"])
    torch.cuda.reset_peak_memory_stats()


for again in (True, False):
    model = Blocks(again).cuda()
    compiled = torch.compile(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    step = torch.compile(optimizer.step)
    x = torch.randn(8, 512, WIDTH, device="cuda")
    for _ in range(2):
        with torch.autocast("cuda", torch.bfloat16):
            loss = compiled(x).sum()
        show("forward")
        loss.backward()
        show("backward")
        step()
        optimizer.zero_grad()
        show("step")
    del model, compiled, optimizer, step, x, loss
    show("end")
