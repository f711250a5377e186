"""Training steps and inference of small models through torch.compile: what inductor's code keeps and takes.

usage: compiled.py mlp|block|tied|convolution|norms [MODE]    MODE: of torch.compile; default where none is named
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

if TYPE_CHECKING:
    from torch import Tensor

torch.manual_seed(0)
WIDTH, LENGTH, BATCH, WORDS = 768, 512, 8, 16000


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        b, n, _ = x.shape
        q, k, v = (t.view(b, n, 12, 64).transpose(1, 2) for t in self.qkv(self.first(x)).chunk(3, -1))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + F.dropout(self.out(mixed.transpose(1, 2).reshape(b, n, -1)), 0.1, self.training)
        return x + F.dropout(self.down(F.gelu(self.up(self.second(x)))), 0.1, self.training)


class Tied(nn.Module):
    """Words in, layers, words out, and the loss: a small GPT."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.blocks = nn.Sequential(*(Block() for _ in range(4)))
        self.last = nn.LayerNorm(WIDTH)

    def forward(self, ids: Tensor) -> Tensor:
        logits = F.linear(self.last(self.blocks(self.words(ids))), self.words.weight)
        return F.cross_entropy(logits.view(-1, WORDS).float(), ids.view(-1))


class Norms(nn.Module):
    """Element by element, which one kernel does."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x: Tensor) -> Tensor:
        for _ in range(4):
            x = x + F.silu(x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight) * torch.sigmoid(x)
        return x


MODELS = {
    "mlp": lambda: nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH), nn.Dropout(0.1)),
    "block": lambda: nn.Sequential(Block(), Block()),
    "tied": Tied,
    "convolution": lambda: nn.Sequential(
        nn.Conv2d(3, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.Conv2d(64, 64, 3, padding=1), nn.ReLU()
    ),
    "norms": Norms,
}
kind = sys.argv[1]
mode = sys.argv[2] if len(sys.argv) > 2 else None


def show(phase: str) -> None:
    c = torch.cuda
    c.synchronize()
    print(f"{phase}\t{c.memory_allocated()}\t{c.max_memory_allocated()}\t{c.memory_reserved()}", flush=True)
    c.reset_peak_memory_stats()


def given() -> Tensor:
    if kind == "tied":
        return torch.randint(0, WORDS, (BATCH, LENGTH), device="cuda")
    if kind == "convolution":
        return torch.randn(32, 3, 64, 64, device="cuda")
    return torch.randn(BATCH, LENGTH, WIDTH, device="cuda", requires_grad=True)


model = MODELS[kind]().cuda()
fast = torch.compile(model, mode=mode)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
x = given()
show("model")
for dtype in (None, torch.bfloat16):
    for step in range(3):
        with torch.autocast("cuda", torch.bfloat16, enabled=dtype is not None):
            loss = fast(x).float().mean()
        show(f"forward {dtype} {step}")
        loss.backward()
        show(f"backward {dtype} {step}")
        optimizer.step()
        optimizer.zero_grad()
        x.grad = None
        del loss
        show(f"step {dtype} {step}")
model.eval()
with torch.no_grad():
    for step in range(2):
        fast(x)
        show(f"inference {step}")
