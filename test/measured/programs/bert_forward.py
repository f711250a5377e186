"""One forward pass of BERT per sequence length, each as in a process of its own: what the allocator reserved.

The model is written out as transformers 2.11 had it: scores and their masked copies live one after another, and the names of queries, keys and
values hold them until attention returns.

usage: bert_forward.py HIDDEN
"""

import math
import sys

import torch
from torch import nn

BATCH, HEADS, LAYERS, VOCABULARY, POSITIONS, WIDE = 8, 12, 12, 30522, 512, 3072


class Embeddings(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, hidden, padding_idx=0)
        self.positions = nn.Embedding(POSITIONS, hidden)
        self.types = nn.Embedding(2, hidden)
        self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, ids, types):
        places = torch.arange(ids.size(1), dtype=torch.long, device=ids.device).unsqueeze(0).expand(ids.size())
        words = self.words(ids)
        positions = self.positions(places)
        kinds = self.types(types)
        x = words + positions + kinds
        x = self.norm(x)
        return self.dropout(x)


class Attention(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.width = hidden // HEADS
        self.query = nn.Linear(hidden, hidden)
        self.key = nn.Linear(hidden, hidden)
        self.value = nn.Linear(hidden, hidden)
        self.dropout = nn.Dropout(0.1)

    def heads(self, x):
        return x.view(*x.size()[:-1], HEADS, self.width).permute(0, 2, 1, 3)

    def forward(self, x, mask):
        query, key, value = self.query(x), self.key(x), self.value(x)
        q, k, v = self.heads(query), self.heads(key), self.heads(value)
        scores = torch.matmul(q, k.transpose(-1, -2))
        scores = scores / math.sqrt(self.width)
        scores = scores + mask
        shares = nn.Softmax(dim=-1)(scores)
        shares = self.dropout(shares)
        found = torch.matmul(shares, v)
        found = found.permute(0, 2, 1, 3).contiguous()
        return found.view(*found.size()[:-2], HEADS * self.width)


class Added(nn.Module):
    """A projection that is added to what came before, and normalized."""

    def __init__(self, inside, hidden):
        super().__init__()
        self.dense = nn.Linear(inside, hidden)
        self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, before):
        x = self.dense(x)
        x = self.dropout(x)
        x = self.norm(x + before)
        return x


class Layer(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.attention = Attention(hidden)
        self.attended = Added(hidden, hidden)
        self.dense = nn.Linear(hidden, WIDE)
        self.output = Added(WIDE, hidden)

    def wide(self, x):
        x = self.dense(x)
        return nn.functional.gelu(x)

    def attend(self, x, mask):
        found = self.attention(x, mask)
        return self.attended(found, x)

    def forward(self, x, mask):
        attended = self.attend(x, mask)
        wide = self.wide(attended)
        return self.output(wide, attended)


class Bert(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.embeddings = Embeddings(hidden)
        self.layers = nn.ModuleList([Layer(hidden) for _ in range(LAYERS)])
        self.pooler = nn.Linear(hidden, hidden)

    def forward(self, ids):
        seen = torch.ones(ids.size(), device=ids.device)
        types = torch.zeros(ids.size(), dtype=torch.long, device=ids.device)
        mask = seen[:, None, None, :].to(dtype=next(self.parameters()).dtype)
        mask = (1.0 - mask) * -10000.0
        embedded = self.embeddings(ids, types)
        x = embedded
        for layer in self.layers:
            x = layer(x, mask)
        return x, torch.tanh(self.pooler(x[:, 0]))


for length in (8, 32, 128, 512):
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    model = Bert(int(sys.argv[1])).to("cuda").eval()
    ids = torch.randint(VOCABULARY, (BATCH, length), dtype=torch.long, device="cuda")
    with torch.no_grad():
        model(ids)
    print(f"seq {length}\t{torch.cuda.max_memory_reserved()}")
    del model, ids
