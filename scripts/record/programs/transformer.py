"""A small Llama-shaped decoder: training steps and generation in one dtype.

usage: transformer.py float32|bfloat16|autocast|scaled
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


WIDTH, INNER, LAYERS, HEADS, KV, VOCABULARY, LENGTH, BATCH = 512, 1376, 6, 8, 4, 8000, 256, 4
KIND = sys.argv[1]


class Norm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x: Tensor) -> Any:
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.weight * wide.to(x.dtype)


def turn(x: Any, cos: Any, sin: Any) -> Any:
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat((-second, first), -1) * sin


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q = nn.Linear(WIDTH, WIDTH, bias=False)
        self.kv = nn.Linear(WIDTH, 2 * KV * WIDTH // HEADS, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH, bias=False)
        self.gate, self.up = nn.Linear(WIDTH, INNER, bias=False), nn.Linear(WIDTH, INNER, bias=False)
        self.down = nn.Linear(INNER, WIDTH, bias=False)
        self.first, self.second = Norm(), Norm()

    def forward(self, x: Any, cos: Any, sin: Any) -> Any:
        b, n, _ = x.shape
        h = self.first(x)
        q = self.q(h).view(b, n, HEADS, -1).transpose(1, 2)
        k, v = (t.view(b, n, KV, -1).transpose(1, 2) for t in self.kv(h).chunk(2, -1))
        q, k = turn(q, cos, sin), turn(k, cos, sin)
        k, v = (t.repeat_interleave(HEADS // KV, 1) for t in (k, v))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(b, n, WIDTH))
        h = self.second(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm, self.head = Norm(), nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids: Tensor) -> Any:
        half = WIDTH // HEADS // 2
        angle = torch.outer(
            torch.arange(ids.shape[1], device=ids.device), 10000 ** (-torch.arange(half, device=ids.device) / half)
        )
        cos, sin = (f(torch.cat((angle, angle), -1)).to(self.table.weight.dtype) for f in (torch.cos, torch.sin))
        x = self.table(ids)
        for layer in self.layers:
            x = layer(x, cos, sin)
        return self.head(self.norm(x))


def line(what: Any) -> None:
    print(
        what, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved(), flush=True
    )
    torch.cuda.reset_peak_memory_stats()


model = Model().to("cuda", torch.bfloat16 if KIND == "bfloat16" else torch.float32)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
scaler = torch.amp.GradScaler("cuda", enabled=KIND == "scaled")
cast = {"autocast": torch.bfloat16, "scaled": torch.float16}.get(KIND)
line("model")
for step in range(3):
    ids = torch.randint(0, VOCABULARY, (BATCH, LENGTH + 1)).to("cuda")
    with torch.autocast("cuda", dtype=cast or torch.bfloat16, enabled=cast is not None):
        scores = model(ids[:, :-1])
        loss = F.cross_entropy(scores.flatten(0, 1), ids[:, 1:].flatten())
    line(f"forward {step}")
    scaler.scale(loss).backward()
    line(f"backward {step}")
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    line(f"step {step}")
    optimizer.zero_grad()
    line(f"zero_grad {step}")
del scores, loss
model.eval()
with torch.no_grad():
    ids = torch.randint(0, VOCABULARY, (1, 32), device="cuda")
    for _ in range(8):
        ids = torch.cat((ids, model(ids)[:, -1:].argmax(-1)), 1)
line("generate")
