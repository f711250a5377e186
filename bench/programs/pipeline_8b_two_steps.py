"""Two training steps of an 8-billion-parameter decoder in four pipeline stages, eight micro-batches, bfloat16."""

import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.pipelining import PipelineStage, Schedule1F1B


class Rms(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        h = x.float()
        h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-5)
        return self.weight * h.to(x.dtype)


class Attention(nn.Module):
    def __init__(self, width=4096, heads=32, kv_heads=8):
        super().__init__()
        self.heads, self.kv_heads, self.size = heads, kv_heads, width // heads
        self.q = nn.Linear(width, width, bias=False)
        self.k = nn.Linear(width, kv_heads * self.size, bias=False)
        self.v = nn.Linear(width, kv_heads * self.size, bias=False)
        self.o = nn.Linear(width, width, bias=False)

    def forward(self, x, cos, sin):
        b, n, _ = x.shape
        q = self.q(x).view(b, n, self.heads, self.size).transpose(1, 2)
        k = self.k(x).view(b, n, self.kv_heads, self.size).transpose(1, 2)
        v = self.v(x).view(b, n, self.kv_heads, self.size).transpose(1, 2)
        q, k = turn(q, cos, sin), turn(k, cos, sin)
        k = k.repeat_interleave(self.heads // self.kv_heads, dim=1)
        v = v.repeat_interleave(self.heads // self.kv_heads, dim=1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o(y.transpose(1, 2).reshape(b, n, -1))


def turn(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-b, a), dim=-1) * sin


class Mlp(nn.Module):
    def __init__(self, width=4096, inner=14336):
        super().__init__()
        self.gate, self.up = nn.Linear(width, inner, bias=False), nn.Linear(width, inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.attn, self.n2, self.mlp = Rms(4096), Attention(), Rms(4096), Mlp()

    def forward(self, x, cos, sin):
        x = x + self.attn(self.n1(x), cos, sin)
        return x + self.mlp(self.n2(x))


class Stage(nn.Module):
    """A quarter of the blocks, with the embedding before the first and the head behind the last."""

    def __init__(self, index, count, layers=32, vocabulary=128256):
        super().__init__()
        self.emb = nn.Embedding(vocabulary, 4096) if index == 0 else None
        self.blocks = nn.ModuleList(Block() for _ in range(layers // count))
        self.head = nn.Sequential(Rms(4096), nn.Linear(4096, vocabulary, bias=False)) if index == count - 1 else None

    def forward(self, x):
        n = x.shape[1]
        angle = torch.outer(torch.arange(n, device="cuda"), 1 / 10000 ** (torch.arange(0, 128, 2, device="cuda") / 128))
        angle = torch.cat((angle, angle), -1)
        cos, sin = angle.cos().bfloat16(), angle.sin().bfloat16()
        if self.emb is not None:
            x = self.emb(x)
        for block in self.blocks:
            x = block(x, cos, sin)
        return x if self.head is None else self.head(x)


rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
with torch.device("cuda"):
    part = Stage(rank, world).bfloat16()
stage = PipelineStage(part, rank, world, torch.device("cuda", rank))


def loss_of(logits, labels):
    return F.cross_entropy(logits.float().flatten(0, 1), labels.flatten())


schedule = Schedule1F1B(stage, n_microbatches=8, loss_fn=loss_of)
opt = torch.optim.AdamW(part.parameters(), lr=1e-5)
ids = torch.randint(0, 128256, (8, 2048), device="cuda")
for _ in range(2):
    if rank == 0:
        schedule.step(ids)
    elif rank == world - 1:
        schedule.step(target=ids)
    else:
        schedule.step()
    opt.step()
    opt.zero_grad()
print(torch.cuda.max_memory_allocated() / 2**30)
dist.destroy_process_group()
