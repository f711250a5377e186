import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.f = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))
        self.h = h
    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(self.n1(x)).view(B, T, 3, self.h, C // self.h).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(y.transpose(1, 2).reshape(B, T, C))
        return x + self.f(self.n2(x))
class GPT(nn.Module):
    def __init__(self, V, T, d, h, n):
        super().__init__()
        self.te, self.pe = nn.Embedding(V, d), nn.Embedding(T, d)
        self.blocks = nn.ModuleList(Block(d, h) for _ in range(n))
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, V, bias=False)
    def forward(self, i, t):
        x = self.te(i) + self.pe(torch.arange(i.shape[1], device=i.device))
        for b in self.blocks:
            x = b(x)
        logits = self.head(self.norm(x))
        return F.cross_entropy(logits.view(-1, logits.size(-1)), t.view(-1))
m = GPT(400, 64, 96, 6, 3).cuda()
opt = torch.optim.AdamW(m.parameters())
i = torch.randint(0, 400, (4, 60), device="cuda")
mem("built")
for dt in (torch.bfloat16, torch.float16):
    scaler = torch.amp.GradScaler(enabled=dt == torch.float16)
    for s in range(2):
        with torch.autocast("cuda", dtype=dt):
            loss = m(i, i); mem("loss")
        scaler.scale(loss).backward(); mem("backward")
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(m.parameters(), 1.0); mem("clip")
        scaler.step(opt); scaler.update(); mem("step")
        opt.zero_grad(set_to_none=True); mem("zero")
