import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
class Siren(nn.Module):
    def __init__(self, i, o, w=30.0): super().__init__(); self.l = nn.Linear(i, o); self.w = w
    def forward(self, x): return torch.sin(self.w * self.l(x))
net = nn.Sequential(Siren(2, 128), Siren(128, 128), nn.Linear(128, 1)).cuda()
xy = torch.randn(400, 2, device="cuda", requires_grad=True)
u = net(xy); mem("u")
g = torch.autograd.grad(u, xy, torch.ones_like(u), create_graph=True)[0]; mem("grad")
lap = sum(torch.autograd.grad(g[:, i], xy, torch.ones_like(g[:, i]), create_graph=True)[0][:, i] for i in range(2)); mem("laplacian")
loss = (lap ** 2).mean(); loss.backward(); mem("bwd")
