import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
class Tied(nn.Module):
    def __init__(self, v, d):
        super().__init__()
        self.emb = nn.Embedding(v, d); self.mix = nn.Linear(d, d); self.out = nn.Linear(d, v, bias=False)
        self.out.weight = self.emb.weight
    def forward(self, ids): return self.out(torch.tanh(self.mix(self.emb(ids))))
m = Tied(1500, 96).cuda(); mem("model")
ids = torch.randint(0, 1500, (4, 40), device="cuda")
y = m(ids); mem("logits")
loss = nn.functional.cross_entropy(y[:, :-1].reshape(-1, 1500), ids[:, 1:].reshape(-1)); mem("loss")
loss.backward(); mem("bwd")
opt = torch.optim.AdamW(m.parameters()); opt.step(); mem("step")
opt.zero_grad(); mem("zero")
loss = nn.functional.cross_entropy(m(ids).transpose(1, 2), ids); mem("second"); loss.backward(); mem("bwd")
