import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


x = torch.randn(300, 200, device="cuda", requires_grad=True)
w = torch.randn(300, 200, device="cuda", requires_grad=True)
with torch.autograd.graph.save_on_cpu():
    y = (x * w).exp()
    mem("saved on the CPU")
y.sum().backward()
mem("backward")
x.grad = w.grad = None
del y
with torch.autograd.graph.saved_tensors_hooks(lambda t: t.half(), lambda t: t.float()):
    y = (x * w).exp()
    mem("saved as half")
y.sum().backward()
mem("backward")
x.grad = w.grad = None
del y
with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
    try:
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            pass
    except RuntimeError as e:
        print(e)
l = (x * w).exp().sum()
for i in range(3):
    l.backward(retain_graph=True)
    mem(f"retained {i}")
l.backward()
mem("last")
