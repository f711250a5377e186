import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

mha = nn.MultiheadAttention(128, 4, kdim=96, vdim=80, dropout=0.1).cuda()
q, k, v = torch.randn(40, 3, 128, device="cuda"), torch.randn(55, 3, 96, device="cuda"), torch.randn(55, 3, 80, device="cuda")
mem("built")
for nw in (True, False):
    o, w = mha(q, k, v, need_weights=nw); mem("forward")
    o.sum().backward(); mem("backward")
    del o, w
mha2 = nn.MultiheadAttention(128, 4, add_bias_kv=True, add_zero_attn=True, bias=False).cuda()
x = torch.randn(40, 3, 128, device="cuda", requires_grad=True)
o, w = mha2(x, x, x); mem("bias_kv")
o.sum().backward(); mem("backward"); del o, w
o, w = mha2(x, x, x, need_weights=False); mem("bias_kv fused")
o.sum().backward(); mem("backward"); del o, w
mem3 = torch.randn(25, 3, 128, device="cuda")
o, _ = mha2(x, mem3, mem3, need_weights=False); mem("cross")
o.sum().backward(); mem("backward")
