"""flex_attention under torch.compile with few queries: keys are shared out, and parts put together."""

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention


def show(phase):
    print(phase, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), flush=True)
    torch.cuda.reset_peak_memory_stats()


attend = torch.compile(flex_attention)
for heads, queries, keys in ((2, 8, 512), (8, 1, 1024)):
    q = torch.randn(2, queries, 8, 64, device="cuda", dtype=torch.bfloat16)
    k = torch.randn(2, keys, heads, 64, device="cuda", dtype=torch.bfloat16)
    v = torch.randn(2, keys, heads, 64, device="cuda", dtype=torch.bfloat16)
    mask = create_block_mask(lambda b, h, q, kv: q >= 0 * kv, None, None, queries, keys, device="cuda")
    show("few queries")
    with torch.no_grad():
        out = attend(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), enable_gqa=True, block_mask=mask)
    show("decoded")
    print(out.shape, out.stride())
    del q, k, v, out, mask
    torch._dynamo.reset()
