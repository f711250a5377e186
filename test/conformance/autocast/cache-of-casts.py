import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

w = nn.Parameter(torch.randn(256, 256, device="cuda"))
half_w = nn.Parameter(torch.randn(256, 256, device="cuda", dtype=torch.float16))
x = torch.randn(100, 256, device="cuda")
mem("start")
with torch.autocast("cuda", dtype=torch.float16):
    y = x
    for i in range(4):
        y = torch.tanh(y @ w)
        mem(f"tied {i}")
    y = y @ half_w; mem("already half")
    v = w.view(128, 512)
    z = x[:, :128] @ v; mem("a view is not cached")
    z2 = x[:, :128] @ v; mem("again")
    torch.clear_autocast_cache(); mem("cleared")
    y2 = x @ w; mem("cast again")
mem("left")
(y.float().sum() + z.float().sum() + z2.float().sum() + y2.float().sum()).backward(); mem("backward")
