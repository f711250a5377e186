import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

bias = nn.Parameter(torch.zeros(1, 4, 48, 48, device="cuda"))
q, k, v = (torch.randn(3, 4, 48, 32, device="cuda", requires_grad=True) for _ in range(3))
mem("start")
for i in range(2):
    o = F.scaled_dot_product_attention(q, k, v, attn_mask=bias); mem("learned bias")
    o.sum().backward(); mem("backward")
    del o
table = nn.Parameter(torch.zeros(95, 4, device="cuda"))
idx = (torch.arange(50, device="cuda")[:, None] - torch.arange(50, device="cuda")[None] + 47).clamp(0, 94)
q, k, v = (torch.randn(3, 4, 50, 32, device="cuda", requires_grad=True) for _ in range(3))
b = table[idx].permute(2, 0, 1)
mem("relative")
o = F.scaled_dot_product_attention(q, k, v, attn_mask=b.unsqueeze(0)); mem("forward")
o.sum().backward(); mem("backward")
print(table.grad.shape)
