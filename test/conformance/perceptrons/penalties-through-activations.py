import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
for act in (nn.Tanh(), nn.Softplus(), nn.SiLU(), nn.GELU(), nn.ELU(), nn.Sigmoid(), nn.ReLU(), nn.Mish()):
    net = nn.Sequential(nn.Linear(30, 60), act, nn.Linear(60, 60), act, nn.Linear(60, 1)).cuda()
    x = torch.randn(50, 30, device="cuda", requires_grad=True)
    torch.cuda.reset_peak_memory_stats()
    y = net(x)
    gx = torch.autograd.grad(y.sum(), x, create_graph=True)[0]; mem(type(act).__name__)
    ((gx.norm(dim=1) - 1).pow(2).mean()).backward(); mem("penalty")
    del net, x, y, gx
