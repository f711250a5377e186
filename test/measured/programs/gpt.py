"""A GPT of 124 million parameters trained as a book's chapter on speed does, stage by stage: what is reserved after an epoch.

usage: gpt.py STAGE [VOCABULARY] [BATCH]
STAGE 0: float32, norm and activation written out, mask as a buffer. 1: bfloat16, mask made on the fly, fused AdamW.
2: built-in norm and activation. 3: one projection for q, k, v and scaled_dot_product_attention.
"""

import sys

import torch
from torch import nn
from torch.nn import functional as F

STAGE = int(sys.argv[1])
VOCABULARY = int(sys.argv[2]) if len(sys.argv) > 2 else 50257
BATCH = int(sys.argv[3]) if len(sys.argv) > 3 else 8
CONTEXT, WIDTH, HEADS, LAYERS, DROP = 1024, 768, 12, 12, 0.1


class WrittenNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(WIDTH))
        self.shift = nn.Parameter(torch.zeros(WIDTH))

    def forward(self, x):
        centre = x.mean(dim=-1, keepdim=True)
        spread = x.var(dim=-1, keepdim=True, unbiased=False)
        normed = (x - centre) / torch.sqrt(spread + 1e-5)
        return self.scale * normed + self.shift


class WrittenGelu(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1 + torch.tanh(torch.sqrt(torch.tensor(2.0 / torch.pi)) * (x + 0.044715 * torch.pow(x, 3))))


def new_norm():
    return WrittenNorm() if STAGE < 2 else nn.LayerNorm(WIDTH)


class SeparateAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(WIDTH, WIDTH, bias=False)
        self.key = nn.Linear(WIDTH, WIDTH, bias=False)
        self.value = nn.Linear(WIDTH, WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.dropout = nn.Dropout(DROP)
        if STAGE == 0:
            self.register_buffer("mask", torch.triu(torch.ones(CONTEXT, CONTEXT), diagonal=1))

    def forward(self, x):
        rows, n, _ = x.shape
        keys, queries, values = self.key(x), self.query(x), self.value(x)
        shape = (rows, n, HEADS, WIDTH // HEADS)
        keys, queries, values = (t.view(shape).transpose(1, 2) for t in (keys, queries, values))
        scores = queries @ keys.transpose(2, 3)
        if STAGE == 0:
            hidden = self.mask.bool()[:n, :n]
        else:
            hidden = torch.triu(torch.ones(n, n, dtype=torch.bool, device=x.device), diagonal=1)
        scores.masked_fill_(hidden, -torch.inf)
        weights = self.dropout(torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1))
        mixed = (weights @ values).transpose(1, 2).reshape(rows, n, WIDTH)
        return self.out(mixed)


class FusedAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        rows, n, _ = x.shape
        queries, keys, values = self.qkv(x).view(rows, n, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        share = DROP if self.training else 0.0
        mixed = F.scaled_dot_product_attention(queries, keys, values, attn_mask=None, dropout_p=share, is_causal=True)
        return self.out(mixed.transpose(1, 2).contiguous().view(rows, n, WIDTH))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = FusedAttention() if STAGE == 3 else SeparateAttention()
        act = WrittenGelu() if STAGE < 2 else nn.GELU(approximate="tanh")
        self.feed = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), act, nn.Linear(4 * WIDTH, WIDTH))
        self.before_attention, self.before_feed = new_norm(), new_norm()
        self.dropout = nn.Dropout(DROP)

    def forward(self, x):
        skip = x
        x = self.before_attention(x)
        x = self.attention(x)
        x = self.dropout(x)
        x = x + skip
        skip = x
        x = self.before_feed(x)
        x = self.feed(x)
        x = self.dropout(x)
        return x + skip


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(CONTEXT, WIDTH)
        self.dropout = nn.Dropout(DROP)
        self.layers = nn.Sequential(*(Layer() for _ in range(LAYERS)))
        self.norm = new_norm()
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)

    def forward(self, ids):
        tokens = self.tokens(ids)
        places = self.places(torch.arange(ids.shape[1], device=ids.device))
        x = tokens + places
        x = self.dropout(x)
        x = self.layers(x)
        x = self.norm(x)
        return self.head(x)


def loss_of_batch(model, ids, target):
    ids, target = ids.to("cuda"), target.to("cuda")
    scores = model(ids)
    return F.cross_entropy(scores.flatten(0, 1), target.flatten())


def batch():
    return [torch.randint(0, VOCABULARY, (BATCH, CONTEXT)) for _ in range(2)]


model = Model()
model.to("cuda")
settings = {}
if STAGE >= 1:
    torch.set_float32_matmul_precision("high")
    model.to(torch.bfloat16)
    settings["fused"] = True
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4, weight_decay=0.1, **settings)
for step in range(45):
    optimizer.zero_grad()
    loss = loss_of_batch(model, *batch())
    loss.backward()
    optimizer.step()
    if step % 15 == 0:
        model.eval()
        with torch.no_grad():
            for _ in range(2):
                loss_of_batch(model, *batch()).item()
        model.train()
model.eval()
ids = torch.randint(0, VOCABULARY, (1, 4), device="cuda")
with torch.no_grad():
    for _ in range(50):
        ids = torch.cat((ids, model(ids)[:, -1, :].argmax(-1, keepdim=True)), dim=1)
print(f"reserved\t{torch.cuda.memory_reserved()}")
