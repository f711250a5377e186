import torch
import torch.nn as nn

def mem(tag):
    print(f"{tag:<44}{torch.cuda.memory_allocated():>12}{torch.cuda.max_memory_allocated():>12}")
    torch.cuda.reset_peak_memory_stats()

net = nn.Sequential(nn.Linear(100, 200), nn.ReLU(), nn.Linear(200, 300), nn.Tanh(), nn.Linear(300, 10)).cuda()
x = torch.randn(50, 100, device="cuda", requires_grad=True)
log = []
h = [net[2].register_full_backward_pre_hook(lambda m, go: log.append(("pre", len(go)))),
     net[2].register_full_backward_hook(lambda m, gi, go: log.append(("full", tuple(g is not None for g in gi)))),
     net[0].register_full_backward_hook(lambda m, gi, go: (gi[0] * 2,)),
     net.register_forward_hook(lambda m, a, o: log.append("out")),
     net.register_forward_pre_hook(lambda m, a, k: (a, k), with_kwargs=True)]
mem("start")
y = net(x)
mem("forward")
y.sum().backward()
mem("backward")
print(log)
del y
mem("del")
for one in h:
    one.remove()
log.clear()
h = net[4].register_full_backward_hook(lambda m, gi, go: log.append("again"))
net(x.detach()).sum().backward()
mem("no input gradient")
net.requires_grad_(False)
net(x.detach())
mem("nothing requires grad")
net.requires_grad_(True)
h.remove()
g = nn.modules.module.register_module_forward_hook(lambda m, a, o: log.append(type(m).__name__))
net(x)
g.remove()
print(log)
mem("global")
def fail(m, a):
    raise ValueError("stop")
h = net[3].register_forward_pre_hook(fail)
try:
    net(x)
except ValueError as e:
    print(e)
h.remove()
net(x).sum().backward()
mem("after an error")
acts = {}
for n, m in net.named_modules():
    m.register_forward_hook(lambda m, a, o, n=n: acts.__setitem__(n, o))
net(x)
mem("kept by hooks")
acts.clear()
mem("dropped")
t = torch.randn(300, 300, device="cuda", requires_grad=True)
hh = t.register_hook(lambda gr: gr * 2)
(t * t).sum().backward()
mem("tensor hook")
hh.remove()
t.register_post_accumulate_grad_hook(lambda p: setattr(p, "grad", None))
(t * t).sum().backward()
mem("post accumulate")
opt = torch.optim.SGD(net.parameters(), lr=0.1)
opt.register_step_pre_hook(lambda o, a, k: log.append("before"))
opt.register_step_post_hook(lambda o, a, k: log.append("after"))
opt.step()
print(log[-2:])
sd = net.state_dict()
net.register_state_dict_post_hook(lambda m, s, p, l: [s.pop("0.bias", None), None][1])
print(sorted(net.state_dict()))
class Extra(nn.Module):
    def get_extra_state(self): return {"a": 1}
    def set_extra_state(self, s): print("extra", s)
e = Extra()
print(e.state_dict())
e.load_state_dict(e.state_dict())
