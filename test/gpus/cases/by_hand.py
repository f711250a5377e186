import torch
from torch import nn
a = nn.Linear(1024, 4096).to("cuda:0")
b = nn.Linear(4096, 1024).to("cuda:1")
x = torch.randn(64, 1024, device="cuda:0")
y = b(a(x).to("cuda:1"))
print(y.device, [torch.cuda.memory_allocated(i) for i in range(2)])
y.sum().backward()
print(a.weight.grad.device, b.weight.grad.device, [(torch.cuda.memory_allocated(i), torch.cuda.max_memory_allocated(i)) for i in range(2)])
torch.cuda.set_device(1)
z = torch.empty(1024, device="cuda")
print(z.device, torch.cuda.current_device(), torch.cuda.memory_allocated())
try:
    x + z
except RuntimeError as e:
    print(e)
