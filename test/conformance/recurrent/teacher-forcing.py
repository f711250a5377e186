import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

enc, dec = nn.LSTMCell(12, 20).cuda(), nn.LSTMCell(12, 20).cuda()
emb, out = nn.Embedding(50, 12).cuda(), nn.Linear(20, 50).cuda()
src, tgt = torch.randint(0, 50, (5, 6), device="cuda"), torch.randint(0, 50, (4, 6), device="cuda")
s = None
for t in src:
    s = enc(emb(t), s)
mem("encoded")
logits = []
for t in tgt:
    s = dec(emb(t), s)
    logits.append(out(s[0]))
mem("decoded")
F.cross_entropy(torch.cat(logits), tgt.flatten()).backward()
mem("backward")
