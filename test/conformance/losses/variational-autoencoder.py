import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
class VAE(nn.Module):
    def __init__(self):
        super().__init__(); self.e, self.m, self.v, self.d1, self.d2 = nn.Linear(300, 120), nn.Linear(120, 16), nn.Linear(120, 16), nn.Linear(16, 120), nn.Linear(120, 300)
    def forward(self, x):
        h = torch.relu(self.e(x)); mu, lv = self.m(h), self.v(h)
        z = mu + torch.exp(0.5 * lv) * torch.randn_like(lv)
        return torch.sigmoid(self.d2(torch.relu(self.d1(z)))), mu, lv
m = VAE().cuda(); x = torch.rand(80, 300, device="cuda")
opt = torch.optim.RMSprop(m.parameters())
for _ in range(2):
    r, mu, lv = m(x); mem("fwd")
    rec = nn.functional.binary_cross_entropy(r, x, reduction="sum"); kl = -0.5 * torch.sum(1 + lv - mu.pow(2) - lv.exp()); mem("losses")
    opt.zero_grad(); (rec + kl).backward(); mem("bwd"); opt.step(); mem("step")
