import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(100, 80, device="cuda")
for act in (nn.ReLU(), nn.ReLU(inplace=True), nn.GELU(), nn.GELU("tanh"), nn.SiLU(), nn.SiLU(inplace=True), nn.Tanh(), nn.Sigmoid(), nn.ELU(), nn.ELU(inplace=True), nn.LeakyReLU(0.1), nn.LeakyReLU(0.1, inplace=True),
            nn.Softplus(), nn.Mish(), nn.Hardswish(), nn.Hardtanh(), nn.ReLU6(), nn.SELU(), nn.CELU(), nn.Hardsigmoid(), nn.Softsign(), nn.Tanhshrink(), nn.Softshrink(), nn.Hardshrink(), nn.LogSigmoid(), nn.PReLU(), nn.Threshold(0.1, 2.0), nn.Mish(inplace=True), nn.Hardswish(inplace=True)):
    m = nn.Sequential(nn.Linear(80, 120), act, nn.Linear(120, 3)).cuda()
    y = m(x); mem(type(act).__name__)
    y.sum().backward(); mem("bwd")
    del m, y
