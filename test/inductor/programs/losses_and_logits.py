"""A head whose logits are returned beside the loss: their gradient is zeros that PyTorch makes."""

import torch
import torch.nn.functional as F
from torch import nn

WIDTH, WORDS = 896, 32000


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.head = nn.Linear(WIDTH, WIDTH, bias=False), nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, x, labels):
        logits = self.head(self.first(x)).float()
        shifted = F.pad(labels, (0, 1), value=-100)[..., 1:].contiguous()
        return F.cross_entropy(logits.view(-1, WORDS), shifted.view(-1), ignore_index=-100), logits


def show(phase):
    """Bytes as they were asked for: where blocks lie, and what is left of them, is the allocator's."""
    stats = torch.cuda.memory_stats()
    print(phase, stats["requested_bytes.all.current"], stats["requested_bytes.all.peak"])
    torch.cuda.reset_peak_memory_stats()


torch.set_default_dtype(torch.bfloat16)
model = Head().cuda()
compiled = torch.compile(model)
x = torch.randn(2, 1024, WIDTH, device="cuda")
labels = torch.randint(0, WORDS, (2, 1024), device="cuda")
for _ in range(2):
    loss, logits = compiled(x, labels)
    del logits
    show("forward")
    loss.backward()
    show("backward")
    model.zero_grad()
