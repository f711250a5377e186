import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.randn(50, 40, device="cuda", requires_grad=True)
for name in ("relu", "relu6", "elu", "selu", "celu", "leaky_relu", "rrelu", "silu", "mish", "hardtanh", "hardsigmoid", "hardswish"):
    torch.cuda.reset_peak_memory_stats()
    y = getattr(F, name)(x * 2, inplace=True)
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    y.sum().backward()
    print("  ", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    del y
    x.grad = None
for layer in (nn.ReLU(inplace=True), nn.ReLU6(inplace=True), nn.SELU(inplace=True), nn.Threshold(0.1, 20, inplace=True), nn.PReLU().cuda(), nn.PReLU(40).cuda(),
              nn.Softplus(beta=2), nn.GELU("tanh"), nn.Softmax(dim=1), nn.LogSoftmax(dim=1), nn.Softmin(dim=1), nn.GLU(), nn.LogSigmoid()):
    y = layer(x * 2)
    print(type(layer).__name__, torch.cuda.memory_allocated())
    y.sum().backward()
    print("  ", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    del y
    x.grad = None
print(torch.cuda.memory_allocated())
y = F.gumbel_softmax(x, tau=0.5, hard=True)
y.sum().backward()
print("gumbel", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
