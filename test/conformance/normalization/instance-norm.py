import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(5, 32, 17, 19, device="cuda", requires_grad=True)
for name, m in {"in": nn.InstanceNorm2d(32), "in affine": nn.InstanceNorm2d(32, affine=True),
                "in stats": nn.InstanceNorm2d(32, affine=True, track_running_stats=True)}.items():
    m = m.cuda()
    y = m(x); mem(name)
    y.abs().sum().backward(); mem(name + " bwd")
    m.eval()
    del y
    y = m(x); mem(name + " eval")
    del y, m
    x.grad = None
z = nn.InstanceNorm3d(8).cuda()(x.view(5, 8, 4, 17, 19)); mem("3d")
z.sum().backward(); mem("3d bwd")
u = nn.InstanceNorm1d(32).cuda()(x[0].flatten(1)); mem("1d without batch")
