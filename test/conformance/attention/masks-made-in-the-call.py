import torch
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

q, k, v = (torch.randn(2, 4, 300, 40, device="cuda", requires_grad=True) for _ in range(3))
mask = torch.ones(2, 1, 300, 300, dtype=torch.bool, device="cuda")
mem("start")
o = F.scaled_dot_product_attention(q, k, v, attn_mask=mask.tril()); mem("inline bool")
o.sum().backward(); mem("backward"); del o
o = F.scaled_dot_product_attention(q, k, v, attn_mask=~mask); mem("inline not"); del o
o = F.scaled_dot_product_attention(q, k, v, mask.float().masked_fill(mask, 0.0)); mem("inline float"); del o
o = F.scaled_dot_product_attention(q[:, :, :51], k[:, :, :51], v[:, :, :51], mask[:, :, :51, :51]); mem("slices")
o.sum().backward(); mem("backward"); del o
big = torch.ones(2, 4, 600, 600, dtype=torch.bool, device="cuda")
qq, kk, vv = (torch.randn(2, 4, 600, 8, device="cuda") for _ in range(3))
mem("big")
o = F.scaled_dot_product_attention(qq, kk, vv, attn_mask=big); mem("big mask"); del o
o = F.scaled_dot_product_attention(qq.half(), kk.half(), vv.half(), attn_mask=big); mem("big mask half"); del o
o = F.scaled_dot_product_attention(qq[..., :4].half(), kk[..., :4].half(), vv[..., :4].half()); mem("padded temporaries"); del o
with torch.autocast("cuda", dtype=torch.float16):
    o = F.scaled_dot_product_attention(qq, kk, vv, attn_mask=big.logical_not()); mem("autocast mask"); del o
    o = F.scaled_dot_product_attention(qq[..., :4], kk[..., :4], vv[..., :4]); mem("autocast padded"); del o
