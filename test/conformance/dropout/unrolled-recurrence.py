import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
rnn = nn.ModuleList([nn.Linear(64, 64) for _ in range(2)]).cuda()
h = torch.zeros(16, 64, device="cuda")
xs = torch.randn(10, 16, 64, device="cuda")
drop = nn.Dropout(0.3)
hs = []
for t in range(10):
    h = torch.tanh(rnn[0](drop(xs[t])) + rnn[1](h))
    hs.append(h)
mem("unrolled")
out = torch.stack(hs).mean(); mem("stacked")
out.backward(); mem("bwd")
del hs, h, out; mem("end")
