"""DataParallel with inputs on the host, buffers, frozen parameters, keyword arguments, autocast, an uneven batch and scalar losses."""

import torch
from torch import nn


def mem(tag):
    print(tag, [(torch.cuda.memory_allocated(i), torch.cuda.max_memory_allocated(i), torch.cuda.memory_reserved(i)) for i in range(4)])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(300, 700)
        self.norm = nn.BatchNorm1d(700)
        self.b = nn.Linear(700, 100, bias=False)
        self.register_buffer("scale", torch.ones(100))

    def forward(self, x, target=None, *, extra=None):
        y = self.b(torch.relu(self.norm(self.a(x)))) * self.scale
        if extra is not None:
            y = y + extra["shift"]
        if target is None:
            return {"out": y, "sum": [y.sum(1)]}
        return nn.functional.cross_entropy(y.float(), target)


model = nn.DataParallel(Net().cuda())
for p in model.module.a.parameters():
    p.requires_grad = False
mem("model")
opt = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1, momentum=0.9)
for step in range(2):
    x, t = torch.randn(30, 300), torch.randint(0, 100, (30,))
    with torch.autocast("cuda", torch.bfloat16):
        loss = model(x, t, extra={"shift": torch.zeros(30, 100, device="cuda")})
    print(loss.shape)
    mem("forward")
    loss.mean().backward()
    mem("backward")
    opt.step()
    opt.zero_grad()
    mem("step")
model.eval()
with torch.no_grad():
    found = model(torch.randn(3, 300, device="cuda"))
    print(found["out"].shape, found["sum"][0].device)
    mem("inference")
