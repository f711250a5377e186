import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

L = 50
q, k, v = (torch.randn(3, 4, L, 32, device="cuda", requires_grad=True) for _ in range(3))
h = [t.detach().half().requires_grad_() for t in (q, k, v)]
mem("start")
masks = {"bool LL": torch.ones(L, L, dtype=torch.bool, device="cuda").tril(), "bool B1LL": torch.ones(3, 1, L, L, dtype=torch.bool, device="cuda"),
         "bool BHLL": torch.ones(3, 4, L, L, dtype=torch.bool, device="cuda"), "bool B11L": torch.ones(3, 1, 1, L, dtype=torch.bool, device="cuda"),
         "float LL": torch.zeros(L, L, device="cuda"), "float 1HLL": torch.zeros(1, 4, L, L, device="cuda"), "float BHLL": torch.zeros(3, 4, L, L, device="cuda")}
mem("masks")
for name, m in masks.items():
    o = F.scaled_dot_product_attention(q, k, v, attn_mask=m); mem(name)
    o.sum().backward(); mem("  backward"); del o
    o = F.scaled_dot_product_attention(*h, attn_mask=m if m.dtype == torch.bool else m.half()); mem(name + " half")
    o.sum().backward(); mem("  backward"); del o
    with torch.no_grad():
        o = F.scaled_dot_product_attention(q, k, v, attn_mask=m, dropout_p=0.1); mem(name + " no grad"); del o
    for t in (q, k, v, *h):
        t.grad = None
