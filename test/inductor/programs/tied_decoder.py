"""A decoder with grouped queries, float32 norms, tied words and the loss of transformers, in bfloat16."""

import torch
import torch.nn.functional as F
from torch import nn

WIDTH, HEADS, GROUPS, HEAD, INNER, WORDS, LAYERS = 896, 14, 2, 64, 4864, 32000, 2


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        dtype = x.dtype
        x = x.to(torch.float32)
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.weight * x.to(dtype)


def turned(x):
    first, second = x.chunk(2, -1)
    return torch.cat((-second, first), -1)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = Norm(), Norm()
        self.q = nn.Linear(WIDTH, HEADS * HEAD)
        self.k, self.v = nn.Linear(WIDTH, GROUPS * HEAD), nn.Linear(WIDTH, GROUPS * HEAD)
        self.out = nn.Linear(HEADS * HEAD, WIDTH, bias=False)
        self.gate, self.up = nn.Linear(WIDTH, INNER, bias=False), nn.Linear(WIDTH, INNER, bias=False)
        self.down = nn.Linear(INNER, WIDTH, bias=False)

    def forward(self, x, cos, sin):
        before, x = x, self.first(x)
        batch, length, _ = x.shape
        q, k, v = (part(x).view(batch, length, -1, HEAD).transpose(1, 2) for part in (self.q, self.k, self.v))
        q, k = (part * cos + turned(part) * sin for part in (q, k))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = before + self.out(mixed.transpose(1, 2).contiguous().reshape(batch, length, -1))
        y = self.second(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.last, self.head = Norm(), nn.Linear(WIDTH, WORDS, bias=False)
        self.head.weight = self.words.weight
        self.register_buffer("turns", 10000 ** (-torch.arange(0, HEAD, 2) / HEAD))

    def forward(self, ids, labels):
        x = self.words(ids)
        angles = torch.arange(ids.shape[1], device=ids.device)[:, None].float() * self.turns[None].float()
        angles = torch.cat((angles, angles), -1)[None, None]
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        for layer in self.layers:
            x = layer(x, cos, sin)
        logits = self.head(self.last(x))
        labels = F.pad(labels, (0, 1), value=-100)[..., 1:].contiguous()
        return F.cross_entropy(logits.float().view(-1, WORDS), labels.view(-1), ignore_index=-100), logits


def show(phase):
    """Bytes as they were asked for: where blocks lie, and what is left of them, is the allocator's."""
    stats = torch.cuda.memory_stats()
    print(phase, stats["requested_bytes.all.current"], stats["requested_bytes.all.peak"])
    torch.cuda.reset_peak_memory_stats()


model = Decoder().cuda().to(torch.bfloat16)
compiled = torch.compile(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
ids = torch.randint(0, WORDS, (2, 1024), device="cuda")
show("model")
for _ in range(2):
    loss, logits = compiled(ids, ids)
    del logits
    show("forward")
    loss.backward()
    show("backward")
    optimizer.step()
    optimizer.zero_grad()
    show("step")
