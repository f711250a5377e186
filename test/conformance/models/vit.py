import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class ViT(nn.Module):
    def __init__(self, img=32, p=8, d=96, h=4, n=3, c=10):
        super().__init__()
        self.patch = nn.Conv2d(3, d, p, p)
        self.cls, self.pos = nn.Parameter(torch.zeros(1, 1, d)), nn.Parameter(torch.zeros(1, (img // p) ** 2 + 1, d))
        l = nn.TransformerEncoderLayer(d, h, 4 * d, dropout=0.1, activation="gelu", batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(l, n, enable_nested_tensor=False)
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, c)
    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], 1) + self.pos
        return self.head(self.norm(self.enc(x))[:, 0])
m = ViT().cuda()
x, t = torch.randn(6, 3, 32, 32, device="cuda"), torch.randint(0, 10, (6,), device="cuda")
opt = torch.optim.AdamW(m.parameters())
mem("built")
for s in range(2):
    loss = F.cross_entropy(m(x), t); mem("loss")
    loss.backward(); mem("backward")
    opt.step(); opt.zero_grad(); mem("step")
with torch.autocast("cuda", dtype=torch.float16):
    loss = F.cross_entropy(m(x), t); mem("autocast")
loss.backward(); mem("backward")
m.zero_grad()
m.half()
F.cross_entropy(m(x.half()).float(), t).backward(); mem("half")
