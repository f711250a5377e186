"""flex_attention under torch.compile: one kernel forward, one backward."""

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention


def show(phase):
    print(phase, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), flush=True)
    torch.cuda.reset_peak_memory_stats()


def causal(b, h, q, kv):
    return q >= kv


slopes = torch.ones(8, device="cuda")
SCORES = {
    "plain": None,
    "capped": lambda score, b, h, q, kv: 20 * torch.tanh(score / 20),
    "alibi": lambda score, b, h, q, kv: score - slopes[h] * (q - kv),
}
attend = torch.compile(flex_attention)


def inputs(dtype, heads_kv):
    q = torch.randn(2, 512, 8, 64, device="cuda", dtype=dtype, requires_grad=True)
    k = torch.randn(2, 512, heads_kv, 64, device="cuda", dtype=dtype, requires_grad=True)
    v = torch.randn(2, 512, heads_kv, 64, device="cuda", dtype=dtype, requires_grad=True)
    return q, k, v


mask = create_block_mask(causal, None, None, 512, 512, device="cuda")
show("mask")
for dtype in (torch.float32, torch.bfloat16):
    for heads in (8, 2):
        for name, score in SCORES.items():
            torch._dynamo.reset()
            q, k, v = inputs(dtype, heads)
            show("inputs")
            out = attend(
                q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), score_mod=score, block_mask=mask, enable_gqa=heads != 8
            )
            show(f"{name} forward")
            print(out.shape, out.stride(), out.dtype)
            out.sum().backward()
            show(f"{name} backward")
            del q, k, v, out
            show("gone")
