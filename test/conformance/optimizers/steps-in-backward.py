import gc
import torch
import torch.nn as nn

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()

m = nn.Sequential(nn.Linear(300, 400), nn.ReLU(), nn.Linear(400, 100)).cuda()
optimizers = {p: torch.optim.Adam([p], foreach=False) for p in m.parameters()}
mem("model")

def hook(p):
    optimizers[p].step()
    optimizers[p].zero_grad()

for p in m.parameters():
    p.register_post_accumulate_grad_hook(hook)
for i in range(2):
    m(torch.randn(7, 300, device="cuda")).sum().backward()
    mem(f"step {i}")
del m, p
mem("model dropped, optimizers hold it")
optimizers.clear()
mem("optimizers dropped")
t = torch.randn(5000, device="cuda", requires_grad=True)
t.register_post_accumulate_grad_hook(lambda leaf: setattr(leaf, "grad", None))
(t * 2).sum().backward()
mem("hook drops the gradient")
del t
mem("gone")
