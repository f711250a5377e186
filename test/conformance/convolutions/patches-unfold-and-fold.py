import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(2, 3, 64, 64, device="cuda", requires_grad=True)
p = nn.Conv2d(3, 40, 8, 8).cuda()
t = p(x).flatten(2).transpose(1, 2)
mem("patch tokens")
u = F.unfold(x, 8, stride=8).transpose(1, 2)
mem("unfold")
w = u @ torch.randn(192, 40, device="cuda")
mem("as product")
f = F.fold(u.transpose(1, 2), (64, 64), 8, stride=8)
mem("fold")
(t.sum() + w.sum() + f.sum()).backward()
mem("backward")
