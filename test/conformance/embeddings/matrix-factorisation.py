import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
class NCF(nn.Module):
    def __init__(self, u, i, d):
        super().__init__()
        self.u, self.i, self.ub, self.ib = nn.Embedding(u, d), nn.Embedding(i, d), nn.Embedding(u, 1), nn.Embedding(i, 1)
        self.mlp = nn.Sequential(nn.Linear(2 * d, 64), nn.ReLU(), nn.Linear(64, 1))
    def forward(self, u, i):
        p, q = self.u(u), self.i(i)
        return (p * q).sum(-1) + self.ub(u).squeeze(-1) + self.ib(i).squeeze(-1) + self.mlp(torch.cat([p, q], -1)).squeeze(-1)
m = NCF(900, 1200, 48).cuda()
u, i, y = torch.randint(0, 900, (256,), device="cuda"), torch.randint(0, 1200, (256,), device="cuda"), torch.rand(256, device="cuda")
opt = torch.optim.Adagrad(m.parameters(), lr=0.1); mem("built")
for _ in range(2):
    opt.zero_grad()
    l = nn.functional.mse_loss(m(u, i), y); mem("fwd")
    l.backward(); mem("bwd"); opt.step(); mem("step")
l = nn.functional.binary_cross_entropy_with_logits(m(u, i), (y > 0.5).float()); mem("bce"); l.backward(); mem("bwd")
