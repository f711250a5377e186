import torch, torch.nn as nn
net = nn.Sequential(nn.Linear(200, 400), nn.ReLU(), nn.Linear(400, 400), nn.ReLU(), nn.Linear(400, 10)).cuda()
acts = {}
def hook(name):
    def f(m, i, o): acts[name] = o.detach()
    return f
hs = [m.register_forward_hook(hook(n)) for n, m in net.named_modules() if isinstance(m, nn.ReLU)]
x = torch.randn(128, 200, device="cuda")
y = net(x); print("hooked", torch.cuda.memory_allocated())
y.sum().backward(); print("bwd", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
for h in hs: h.remove()
acts.clear(); print("removed", torch.cuda.memory_allocated())
gr = []
net[2].weight.register_hook(lambda g: gr.append(g.norm()))
y = net(x); y.mean().backward(); print("grad hook", torch.cuda.memory_allocated(), len(gr))
net[0].register_full_backward_hook(lambda m, gi, go: gr.append(go[0].abs().max()))
net(x).mean().backward(); print("module hook", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
