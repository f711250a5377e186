import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

mha = nn.MultiheadAttention(160, 5, dropout=0.0, batch_first=True).cuda()
x = torch.randn(3, 61, 160, device="cuda")
mem("built")
for nw in (True, False):
    for avg in (True, False):
        o, w = mha(x, x, x, need_weights=nw, average_attn_weights=avg)
        mem(f"{nw} {avg}")
        o.sum().backward()
        mem("backward")
        mha.zero_grad()
        del o, w
mask = torch.triu(torch.ones(61, 61, dtype=torch.bool, device="cuda"), 1)
o, _ = mha(x, x, x, attn_mask=mask, need_weights=False); mem("bool mask")
o.mean().backward(); mem("backward"); del o
pad = torch.zeros(3, 61, dtype=torch.bool, device="cuda")
o, _ = mha(x, x, x, key_padding_mask=pad, need_weights=False); mem("padding"); del o
o, _ = mha(x, x, x, key_padding_mask=pad, attn_mask=mask, need_weights=False); mem("both"); del o
o, _ = mha(x, x, x, attn_mask=mask, is_causal=True, need_weights=False); mem("causal"); del o
o, _ = mha(x, x, x, attn_mask=torch.zeros(15, 61, 61, device="cuda"), need_weights=False); mem("3-D float"); del o
o, w = mha(x, x, x, attn_mask=mask, key_padding_mask=pad); mem("weights"); del o, w
