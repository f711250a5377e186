"""Training with and without checkpointing: what a step needs, and what recomputing the activations saves.

What it shows: gradients appear in backward, Adam's two states at its first step, and the activations of eight blocks are
what a checkpoint trades for time.

Run it with `vramscope run examples/training.py` and `vramscope run examples/training.py -- --checkpoint`.
"""

import argparse

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

MIB = 1024 * 1024


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        h = self.norm1(x)
        x = x + self.attention(h, h, h, need_weights=False)[0]
        return x + self.mlp(self.norm2(x))


class Model(nn.Module):
    def __init__(self, vocabulary=32_000, width=512, heads=8, depth=8, checkpointed=False):
        super().__init__()
        self.checkpointed = checkpointed
        self.embedding = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(depth))
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        x = self.embedding(tokens)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.checkpointed else block(x)
        return self.head(x)


parser = argparse.ArgumentParser()
parser.add_argument("--checkpoint", action="store_true")
parser.add_argument("--batch", type=int, default=8)
parser.add_argument("--length", type=int, default=512)
parser.add_argument("--steps", type=int, default=3)
options = parser.parse_args()

model = Model(checkpointed=options.checkpoint).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
tokens = torch.randint(0, 32_000, (options.batch, options.length + 1), device="cuda")
for step in range(options.steps):
    torch.cuda.reset_peak_memory_stats()
    logits = model(tokens[:, :-1])
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step}: peak {torch.cuda.max_memory_allocated() / MIB:.2f} MiB")
