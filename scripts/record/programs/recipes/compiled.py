"""Training under torch.compile as people start it: a GPT by hand, attention by flex_attention, a network, an optimizer's step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from recipe import run, show, steps, tokens
from language import made, qwen
from torch import nn

if TYPE_CHECKING:
    from typing import Any


class Block(nn.Module):
    def __init__(self, width: Any, heads: Any) -> None:
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(0.0)

    def forward(self, x: Any) -> Any:
        b, t, c = x.shape
        q, k, v = (
            part.view(b, t, self.heads, c // self.heads).transpose(1, 2) for part in self.qkv(self.first(x)).split(c, 2)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.dropout(self.out(y.transpose(1, 2).contiguous().view(b, t, c)))
        return x + self.dropout(self.down(F.gelu(self.up(self.second(x)))))


class GPT(nn.Module):
    def __init__(
        self, layers: Any = 6, width: Any = 768, heads: Any = 12, vocabulary: Any = 50304, length: Any = 1024
    ) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.last, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)
        self.words.weight = self.head.weight

    def forward(self, ids: Any, targets: Any) -> Any:
        x = self.words(ids) + self.places(torch.arange(ids.shape[1], device=ids.device))
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.last(x))
        return F.cross_entropy(logits.view(-1, logits.shape[-1]), targets.view(-1))


def gpt(compiled: Any, layers: Any = 6) -> None:
    torch.set_float32_matmul_precision("high")
    model = GPT(layers).cuda().train()
    called = torch.compile(model) if compiled else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    show("model")
    for step in range(4):
        ids, targets = (torch.randint(0, 50304, (8, 1024), device="cuda") for _ in "ab")
        with torch.autocast("cuda", torch.bfloat16):
            loss = called(ids, targets)
        show(f"forward {step}")
        loss.backward()
        show(f"backward {step}")
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        show(f"step {step}")


def gpt_eager() -> None:
    gpt(False)


def gpt_compiled() -> None:
    gpt(True)


def gpt_compiled_two_layers() -> None:
    gpt(True, 2)


def llama_compiled() -> None:
    model = made(qwen(4)).train()
    model.compile()
    ids = tokens(model, 2, 1024)
    steps(model, {"input_ids": ids, "labels": ids}, 4)


def flex_compiled() -> None:
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    call = torch.compile(flex_attention)
    mask = create_block_mask(lambda b, h, q, k: q >= k, None, None, 2048, 2048, device="cuda")
    show("mask")
    for _ in range(2):
        q, k, v = (torch.randn(2, 16, 2048, 64, device="cuda", dtype=torch.bfloat16, requires_grad=True) for _ in "qkv")
        out = call(q, k, v, block_mask=mask)
        show("forward")
        out.sum().backward()
        show("backward")


def mlp_compiled() -> None:
    model = nn.Sequential(
        nn.Linear(1024, 4096), nn.GELU(), nn.LayerNorm(4096), nn.Linear(4096, 1024), nn.Tanh(), nn.Linear(1024, 10)
    ).cuda()
    called = torch.compile(model)
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(3):
        loss = called(torch.randn(4096, 1024, device="cuda")).pow(2).mean()
        show(f"forward {step}")
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        show(f"step {step}")


def inference_compiled() -> None:
    model = GPT(4).cuda().eval()
    called = torch.compile(model)
    with torch.no_grad():
        for length in (512, 512, 768):
            called(
                torch.randint(0, 50304, (4, length), device="cuda"), torch.randint(0, 50304, (4, length), device="cuda")
            )
            show(f"forward {length}")


if __name__ == "__main__":
    run(globals())
