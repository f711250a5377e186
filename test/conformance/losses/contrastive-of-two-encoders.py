import torch, torch.nn as nn
import torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
B, D = 48, 160
img, txt = nn.Linear(300, D).cuda(), nn.Linear(200, D).cuda()
scale = nn.Parameter(torch.tensor(2.6593, device="cuda"))
a, b = torch.randn(B, 300, device="cuda"), torch.randn(B, 200, device="cuda")
mem("start")
i, t = F.normalize(img(a), dim=-1), F.normalize(txt(b), dim=-1); mem("features")
logits = scale.exp() * i @ t.t(); mem("logits")
labels = torch.arange(B, device="cuda")
loss = (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2; mem("loss")
loss.backward(); mem("bwd")
