import torch, torch.nn as nn
class WS(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(100, 100); self.n = nn.BatchNorm1d(100, momentum=0.2)
    def forward(self, x): return torch.relu(self.n(self.a(x)))
net = nn.Sequential(WS(), WS(), WS()).cuda()
sync = {k: v.clone() for k, v in net.state_dict().items()}
print("copy", torch.cuda.memory_allocated())
x = torch.randn(64, 100, device="cuda")
for i in range(2):
    loss = net(x).var()
    print("fwd", torch.cuda.memory_allocated())
    loss.backward()
    print("bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
net.load_state_dict(sync)
print("loaded", torch.cuda.memory_allocated())
for m in net.modules():
    if isinstance(m, nn.BatchNorm1d): m.reset_running_stats()
net.eval()
out = [net(x) for _ in range(3)]
print("eval graphs", torch.cuda.memory_allocated())
sum(o.mean() for o in out).backward()
print("bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
