import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(100, 200)
        self.c = nn.ParameterList([nn.Parameter(torch.randn(200)) for _ in range(2)])
        self.d = nn.ParameterDict({"k": nn.Parameter(torch.randn(200, 10)), "l": torch.randn(10)})
        self.e = nn.ModuleDict({"norm": nn.BatchNorm1d(10), "act": nn.ReLU()})
        self.register_buffer("buf", torch.zeros(500))

    def forward(self, x):
        x = self.a(x) * self.c[0] + self.c[1]
        return self.e["act"](self.e["norm"](x @ self.d["k"] + self.d["l"]))

m = Net().cuda()
x = torch.randn(32, 100, device="cuda")
m(x).sum().backward()
mem("trained")
print(m)
for step in (m.half, m.float, m.double, m.bfloat16, m.float, m.cpu, m.cuda):
    step()
    mem(step.__name__)
print(m.a.weight.grad.device, m.e["norm"].num_batches_tracked.dtype)
m.zero_grad()
sd = m.state_dict()
mem("state_dict")
copies = {k: v.clone() for k, v in sd.items()}
mem("cloned")
other = Net().cuda()
print(other.load_state_dict(copies))
mem("loaded")
other.load_state_dict(copies, assign=True)
mem("assigned")
del copies
mem("the dictionary is gone")
try:
    other.load_state_dict({"a.weight": torch.zeros(3, 3)}, strict=False)
except RuntimeError as e:
    print(str(e)[:150])
for name, value in (("a", 5), ("buf", 3)):
    try:
        setattr(m, name, value)
    except TypeError as e:
        print(e)
m.c[0] = nn.Parameter(torch.ones(200, device="cuda"))
mem("parameter of a list replaced")
m.to_empty(device="cuda")
mem("to_empty")
