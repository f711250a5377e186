import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


x = torch.randn(300, 200, device="cuda", requires_grad=True)
w = torch.randn(300, 200, device="cuda", requires_grad=True)
y = x * 1
y[0] = 0
mem("a row zeroed")
y[1:3] = w[1:3]
mem("rows from another leaf")
y[:, 0].mul_(2)
y.view(-1)[:100].zero_()
z = y.t()
z.add_(1)
mem("through views")
print(y.grad_fn.name(), z.grad_fn.name())
y.sum().backward()
mem("backward")
x.grad = w.grad = None
y = torch.zeros(300, 200, device="cuda")
for i in range(3):
    y[i] = x[i] * w[i]
y[10:20, ::2] = x[10:20, ::2]
v = y[5]
print(v.requires_grad, v.grad_fn.name())
y.sum().backward()
mem("a buffer filled row by row")
