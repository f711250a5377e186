"""A GPT of 124 million parameters trained as a book's chapter on speed does, stage by stage: what is reserved after an epoch.

usage: gpt.py STAGE [VOCABULARY] [BATCH]
STAGE, each with those before it: 0 float32, norm and activation written out, mask as a buffer; 1 mask made on the fly;
2 tensor cores; 3 fused AdamW; 5 bfloat16; 6 built-in norm and activation; 7 one projection for q, k, v and
scaled_dot_product_attention. The book's later stages also compile the model.
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
    return WrittenNorm() if STAGE < 6 else nn.LayerNorm(WIDTH)


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
        keys = self.key(x)
        queries = self.query(x)
        values = self.value(x)
        shape = (rows, n, HEADS, WIDTH // HEADS)
        keys = keys.view(shape).transpose(1, 2)
        values = values.view(shape).transpose(1, 2)
        queries = queries.view(shape).transpose(1, 2)
        scores = queries @ keys.transpose(2, 3)
        if STAGE == 0:
            hidden = self.mask.bool()[:n, :n]
        else:
            hidden = torch.triu(torch.ones(n, n, dtype=torch.bool, device=x.device), diagonal=1)
        scores.masked_fill_(hidden, -torch.inf)
        weights = torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)
        weights = self.dropout(weights)
        mixed = (weights @ values).transpose(1, 2)
        mixed = mixed.reshape(rows, n, WIDTH)
        mixed = self.out(mixed)
        return mixed


class FusedAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        rows, n, _ = x.shape
        packed = self.qkv(x)
        packed = packed.view(rows, n, 3, HEADS, WIDTH // HEADS)
        packed = packed.permute(2, 0, 3, 1, 4)
        queries, keys, values = packed
        share = DROP if self.training else 0.0
        mixed = F.scaled_dot_product_attention(queries, keys, values, attn_mask=None, dropout_p=share, is_causal=True)
        mixed = mixed.transpose(1, 2).contiguous().view(rows, n, WIDTH)
        mixed = self.out(mixed)
        return mixed


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = FusedAttention() if STAGE >= 7 else SeparateAttention()
        act = WrittenGelu() if STAGE < 6 else nn.GELU(approximate="tanh")
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
if STAGE >= 2:
    torch.set_float32_matmul_precision("high")
if STAGE >= 3:
    settings["fused"] = True
if STAGE >= 5:
    model.to(torch.bfloat16)
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
ids = torch.randint(0, VOCABULARY, (1, 4)).to("cuda")


def generate(ids):
    for _ in range(50):
        shown = ids[:, -CONTEXT:]
        with torch.no_grad():
            scores = model(shown)
        scores = scores[:, -1, :]
        following = torch.argmax(scores, dim=-1, keepdim=True)
        ids = torch.cat((ids, following), dim=1)
    return ids


with torch.no_grad():
    tokens = generate(ids)
print(f"allocated\t{torch.cuda.memory_allocated()}")
print(f"reserved\t{torch.cuda.memory_reserved()}")
