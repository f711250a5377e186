import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
class Locked(nn.Module):
    def __init__(self, p): super().__init__(); self.p = p
    def forward(self, x):
        if not self.training: return x
        m = x.new_empty(1, x.size(1), x.size(2), requires_grad=False).bernoulli_(1 - self.p)
        m = m.div_(1 - self.p)
        m = m.expand_as(x)
        return x * m
x = torch.randn(35, 20, 150, device="cuda", requires_grad=True)
d = Locked(0.5)
y = d(x); mem("locked")
y.sum().backward(); mem("bwd")
tok = nn.Embedding(1000, 150).cuda()
def embedded_dropout(embed, words, p):
    mask = embed.weight.data.new().resize_((embed.weight.size(0), 1)).bernoulli_(1 - p).expand_as(embed.weight) / (1 - p)
    return nn.functional.embedding(words, mask * embed.weight)
ids = torch.randint(0, 1000, (35, 20), device="cuda"); mem("ids")
e = embedded_dropout(tok, ids, 0.1); mem("embedding dropout")
e.sum().backward(); mem("bwd")
