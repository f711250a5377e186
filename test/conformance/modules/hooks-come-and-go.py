import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


import torch.nn as nn

def build():
    return nn.Sequential(nn.Linear(100, 100), nn.ReLU(), nn.Linear(100, 100)).cuda()

def run(name, hook):
    net = build()
    x = torch.randn(64, 100, device="cuda", requires_grad=True)
    handle = hook(net)
    net(x).sum().backward()
    handle.remove()
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())

run("plain", lambda net: net[0].weight.register_hook(lambda g: None))
mem("after")
run("forward", lambda net: net[0].register_forward_hook(lambda m, i, o: o * 2))
run("forward with kwargs", lambda net: net[0].register_forward_hook(lambda m, i, k, o: None, with_kwargs=True))
run("pre", lambda net: net[2].register_forward_pre_hook(lambda m, a: (a[0] * 0.5,)))
run("full backward", lambda net: net[2].register_full_backward_hook(lambda m, gi, go: (gi[0] * 0.5,)))
run("backward pre", lambda net: net[2].register_full_backward_pre_hook(lambda m, go: (go[0] * 0.5,)))
run("global forward", lambda net: nn.modules.module.register_module_forward_hook(lambda m, i, o: None))
run("global backward", lambda net: nn.modules.module.register_module_full_backward_hook(lambda m, gi, go: None))
mem("all gone")
