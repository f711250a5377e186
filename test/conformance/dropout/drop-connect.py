import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
class DropConnect(nn.Linear):
    def forward(self, x):
        w = nn.functional.dropout(self.weight, 0.5, self.training)
        return nn.functional.linear(x, w, self.bias)
m = DropConnect(300, 400).cuda()
x = torch.randn(70, 300, device="cuda")
y = m(x); mem("fwd")
y.sum().backward(); mem("bwd")
m.eval(); y = m(x); mem("eval")
y.sum().backward(); mem("bwd")
outs = []
m.train()
for _ in range(5): outs.append(m(x)); mem("sample")
torch.stack(outs).var(0).sum().backward(); mem("variance bwd")
del outs; mem("end")
