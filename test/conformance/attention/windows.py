import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class Window(nn.Module):
    def __init__(self, d, h, w):
        super().__init__()
        self.h, self.w = h, w
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.table = nn.Parameter(torch.zeros((2 * w - 1) ** 2, h))
        c = torch.stack(torch.meshgrid(torch.arange(w), torch.arange(w), indexing="ij")).flatten(1)
        r = (c[:, :, None] - c[:, None, :]).permute(1, 2, 0) + w - 1
        self.register_buffer("index", r[..., 0] * (2 * w - 1) + r[..., 1])
    def forward(self, x):
        B, H, W, C = x.shape
        w = self.w
        x = x.view(B, H // w, w, W // w, w, C).permute(0, 1, 3, 2, 4, 5).reshape(-1, w * w, C)
        qkv = self.qkv(x).reshape(x.shape[0], w * w, 3, self.h, C // self.h).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0] * (C // self.h) ** -0.5, qkv[1], qkv[2]
        a = q @ k.transpose(-2, -1)
        a = a + self.table[self.index.view(-1)].view(w * w, w * w, -1).permute(2, 0, 1).unsqueeze(0)
        a = a.softmax(-1)
        y = self.proj((a @ v).transpose(1, 2).reshape(x.shape))
        return y.view(B, H // w, W // w, w, w, C).permute(0, 1, 3, 2, 4, 5).reshape(B, H, W, C)
m = Window(96, 3, 7).cuda()
x = torch.randn(2, 28, 28, 96, device="cuda", requires_grad=True)
mem("built")
y = m(x); mem("forward")
y.sum().backward(); mem("backward")
del y
with torch.no_grad():
    y = m(x)
mem("no grad")
m.half()
y = m(x.detach().half()); mem("half")
y.float().mean().backward(); mem("backward")
