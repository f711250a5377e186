import torch
from torch import nn


def mem(tag):
    print(tag, [(torch.cuda.memory_allocated(i), torch.cuda.max_memory_allocated(i), torch.cuda.memory_reserved(i)) for i in range(3)])


net = nn.Sequential(nn.Linear(512, 2048), nn.GELU(), nn.LayerNorm(2048), nn.Linear(2048, 256))
model = nn.DataParallel(net, device_ids=[0, 1, 2]).cuda()
mem("model")
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(3):
    x = torch.randn(50, 512, device="cuda")
    out = model(x)
    print(out.device, out.shape)
    mem("forward")
    out.pow(2).mean().backward()
    mem("backward")
    opt.step()
    opt.zero_grad()
    mem("step")
