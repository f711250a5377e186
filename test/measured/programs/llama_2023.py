"""Llama 2 in float16 as transformers 4.34 and 4.35 had it: one forward pass, then one greedy generate().

usage: llama_2023.py 7b|13b eager|sdpa|flash BATCH PROMPT NEW [LAYERS]
Keys and values are a tuple per layer, concatenated anew at each token, and the old ones live until the step's end; logits of
the whole prompt become float32. Each part starts from an empty cache. Prints what was allocated and reserved at most.
"""

import math
import sys

import torch
from torch import nn
from torch.nn import functional as F

KIND, ATTENTION = sys.argv[1:3]
BATCH, PROMPT, NEW = (int(word) for word in sys.argv[3:6])
WIDTH, INNER, LAYERS, HEADS = {"7b": (4096, 11_008, 32, 32), "13b": (5120, 13_824, 40, 40)}[KIND]
LAYERS = int(sys.argv[6]) if len(sys.argv) > 6 else LAYERS
VOCABULARY, POSITIONS = 32_000, 4096
SIZE = WIDTH // HEADS


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        given = x.dtype
        x = x.to(torch.float32)
        spread = x.pow(2).mean(-1, keepdim=True)
        x = x * torch.rsqrt(spread + 1e-5)
        return self.weight * x.to(given)


class Rotation(nn.Module):
    def __init__(self):
        super().__init__()
        speed = 1.0 / (10_000 ** (torch.arange(0, SIZE, 2, device="cuda").float() / SIZE))
        angle = torch.outer(torch.arange(POSITIONS, device="cuda").float(), speed)
        angle = torch.cat((angle, angle), dim=-1)
        self.register_buffer("speed", speed, persistent=False)
        self.register_buffer("cos", angle.cos().to(torch.float16), persistent=False)
        self.register_buffer("sin", angle.sin().to(torch.float16), persistent=False)

    def forward(self, q, k, places, length):
        cos = self.cos[:length][places].unsqueeze(1)
        sin = self.sin[:length][places].unsqueeze(1)
        turned_q = (q * cos) + (swapped(q) * sin)
        turned_k = (k * cos) + (swapped(k) * sin)
        return turned_q, turned_k


def swapped(x):
    first = x[..., : SIZE // 2]
    second = x[..., SIZE // 2 :]
    return torch.cat((-second, first), dim=-1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))
        self.rotation = Rotation()

    def forward(self, x, mask, places, past):
        batch, length, _ = x.shape
        q = self.q(x)
        k = self.k(x)
        v = self.v(x)
        q = q.view(batch, length, HEADS, SIZE).transpose(1, 2)
        k = k.view(batch, length, HEADS, SIZE).transpose(1, 2)
        v = v.view(batch, length, HEADS, SIZE).transpose(1, 2)
        whole = length + (0 if past is None else past[0].shape[-2])
        q, k = self.rotation(q, k, places, whole)
        if past is not None:
            k = torch.cat([past[0], k], dim=2)
            v = torch.cat([past[1], v], dim=2)
        kept = (k, v)
        if ATTENTION == "eager":
            weights = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(SIZE)
            weights = weights + mask
            weights = F.softmax(weights, dim=-1, dtype=torch.float32).to(q.dtype)
            y = torch.matmul(weights, v)
            y = y.transpose(1, 2).contiguous()
        elif ATTENTION == "sdpa":
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            y = y.transpose(1, 2)
        else:
            from flash_attn import flash_attn_func

            y = flash_attn_func(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), 0.0, causal=True).contiguous()
        y = y.reshape(batch, length, WIDTH)
        y = self.o(y)
        return y, kept


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention()
        self.gate, self.up = (nn.Linear(WIDTH, INNER, bias=False) for _ in range(2))
        self.down = nn.Linear(INNER, WIDTH, bias=False)
        self.norm_1, self.norm_2 = Norm(), Norm()

    def forward(self, x, mask, places, past):
        before = x
        x = self.norm_1(x)
        x, kept = self.attention(x, mask, places, past)
        x = before + x
        before = x
        x = self.norm_2(x)
        x = self.down(F.silu(self.gate(x)) * self.up(x))
        x = before + x
        return x, kept


def mask_of(seen, length, past_length):
    """Added to the scores: what lies ahead is as low as float16 goes. Flash attention needs none where nothing is padded."""
    if ATTENTION == "flash":
        return None
    lowest = torch.finfo(torch.float16).min
    padding = 1.0 - seen[:, None, None, :].expand(BATCH, 1, length, seen.shape[-1]).to(torch.float16)
    padding = padding.masked_fill(padding.to(torch.bool), lowest)
    if length == 1:
        return padding
    ahead = torch.full((length, length), lowest, device="cuda")
    place = torch.arange(length, device="cuda")
    ahead.masked_fill_(place < (place + 1).view(length, 1), 0)
    ahead = ahead.to(torch.float16)
    return ahead[None, None, :, :].expand(BATCH, 1, length, length).masked_fill(padding.bool(), lowest)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lookup = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = Norm()
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)

    def run(self, ids, seen, places, past):
        x = self.lookup(ids)
        mask = mask_of(seen, ids.shape[1], 0 if past is None else past[0][0].shape[2])
        kept = ()
        for index, layer in enumerate(self.layers):
            x, pair = layer(x, mask, places, None if past is None else past[index])
            kept += (pair,)
        x = self.norm(x)
        return x, kept

    def forward(self, ids, seen, places=None, past=None):
        if places is None:
            places = torch.arange(ids.shape[1], dtype=torch.long, device="cuda").unsqueeze(0)
        x, kept = self.run(ids, seen, places, past)
        logits = self.head(x)
        logits = logits.float()
        return logits, kept


def generate(model, ids, seen):
    """Greedy, as generate() was."""
    past = None
    for _ in range(NEW):
        places = seen.long().cumsum(-1) - 1
        places.masked_fill_(seen == 0, 1)
        given = ids
        if past is not None:
            places = places[:, -1].unsqueeze(-1)
            given = ids[:, -1:]
        logits, kept = model(given, seen, places, past)
        scores = logits[:, -1, :]
        chosen = torch.argmax(scores, dim=-1)
        ids = torch.cat([ids, chosen[:, None]], dim=-1)
        past = kept
        seen = torch.cat([seen, seen.new_ones((BATCH, 1))], dim=-1)


def fresh():
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()


def say(part):
    print(f"{part} allocated\t{torch.cuda.max_memory_allocated()}")
    print(f"{part} reserved\t{torch.cuda.max_memory_reserved()}")


torch.set_default_dtype(torch.float16)
with torch.device("cuda"):
    model = Model().eval()
torch.set_default_dtype(torch.float32)
ids = torch.randint(0, VOCABULARY, (BATCH, PROMPT), device="cuda")
seen = torch.ones(BATCH, PROMPT, dtype=torch.int64, device="cuda")
with torch.no_grad():
    fresh()
    model(ids, seen)
    say("forward")
    fresh()
    generate(model, ids, seen)
    say("generate")
