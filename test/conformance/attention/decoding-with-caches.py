import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

@torch.no_grad()
def decode(dt):
    B, H, D = 2, 4, 32
    kc = torch.zeros(B, H, 0, D, device="cuda", dtype=dt)
    vc = torch.zeros(B, H, 0, D, device="cuda", dtype=dt)
    for i in range(6):
        n = 37 if i == 0 else 1
        q, k, v = (torch.randn(B, H, n, D, device="cuda", dtype=dt) for _ in range(3))
        kc, vc = torch.cat([kc, k], 2), torch.cat([vc, v], 2)
        o = F.scaled_dot_product_attention(q, kc, vc, is_causal=i == 0)
        mem(f"{dt} {i} {tuple(o.shape)}")
    K = torch.zeros(B, H, 64, D, device="cuda", dtype=dt)
    V = torch.zeros_like(K)
    mask = torch.tril(torch.ones(64, 64, dtype=torch.bool, device="cuda"))
    mem("static")
    for pos in range(3):
        K[:, :, pos : pos + 1] = torch.randn(B, H, 1, D, device="cuda", dtype=dt)
        V[:, :, pos : pos + 1] = torch.randn(B, H, 1, D, device="cuda", dtype=dt)
        q = torch.randn(B, H, 1, D, device="cuda", dtype=dt)
        o = F.scaled_dot_product_attention(q, K, V, attn_mask=mask[None, None, pos : pos + 1])
        mem(f"static {pos}")
decode(torch.float32)
decode(torch.float16)
mem("end")
