import torch
def used(t): print(t, torch.cuda.memory_allocated(), torch.cuda.memory_reserved())
x = torch.randn(1000, 1000, device="cuda", requires_grad=True); used("leaf")
y = (x * x).sum(); used("graph"); z = y.detach(); used("detach"); y.backward(); used("backward"); g = x.grad; x.grad = None; used("grad kept"); del g; used("grad gone")
w = x.detach().clone().requires_grad_(); used("clone"); (w.exp() + w.tanh()).mean().backward(); used("exp tanh"); w.grad.zero_(); used("zeroed"); w.grad = None
v = x.data; used("data")
with torch.no_grad(): with_no = x * 2; used("no grad")
a = x[:10] * 3; a.sum().backward(); used("slice grad"); x.grad = None; b = x[torch.arange(5, device="cuda")]; b.sum().backward(); used("index grad"); x.grad = None
c = x.view(-1)[::2].relu(); used("strided relu"); c.sum().backward(retain_graph=True); used("retained"); c.sum().backward(); used("again"); del a, b, c; x.grad = None; used("clean")
h = x * 1; h.retain_grad(); h.pow(2).sum().backward(); used("retain_grad"); del h; used("h gone"); torch.cuda.empty_cache(); used("emptied")
