import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

net = nn.Sequential(nn.Conv2d(3, 32, 3, 2, 1), nn.BatchNorm2d(32), nn.ReLU(inplace=True), nn.Conv2d(32, 64, 3, 2, 1), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10)).cuda().eval()
x = torch.randn(8, 3, 64, 64, device="cuda")
mem("built")
for ctx in (torch.no_grad, torch.inference_mode, torch.enable_grad):
    with ctx():
        y = net(x); mem(ctx.__name__)
        p = y.softmax(-1).cpu(); mem("to the CPU")
    del y, p
preds = []
with torch.no_grad():
    for b in x.split(3):
        preds.append(net(b).argmax(1)); mem("batch")
out = torch.cat(preds); mem("cat")
net.half()
with torch.inference_mode():
    y = net(x.half()); mem("half")
    y = net(x.half().to(memory_format=torch.channels_last)); mem("channels_last")
xs = [torch.randn(1, 3, 48 + 8 * i, 48, device="cuda", dtype=torch.half) for i in range(3)]
with torch.inference_mode():
    for t in xs:
        y = net(t); mem(f"{tuple(t.shape)}")
torch.cuda.empty_cache(); mem("empty_cache")
