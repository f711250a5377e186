import torch
import torch.nn.functional as F

x = torch.randn(50, 40, device="cuda", requires_grad=True)
for name in ("relu", "relu6", "elu", "selu", "celu", "leaky_relu", "rrelu", "gelu", "silu", "mish", "softplus", "softsign", "tanhshrink", "softshrink", "hardshrink", "hardtanh", "hardsigmoid", "hardswish", "sigmoid", "tanh", "logsigmoid"):
    f = getattr(F, name)
    for what, make in (("leaf", lambda: f(x)), ("temporary", lambda: f(x * 2)), ("transposed", lambda: f(x.t())), ("half", lambda: f(x.half()))):
        torch.cuda.reset_peak_memory_stats()
        y = make()
        print(name, what, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), y.stride())
        y.sum().backward()
        print("  ", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
        del y
        x.grad = None
