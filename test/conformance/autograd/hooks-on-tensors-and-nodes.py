import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


x = torch.randn(400, 300, device="cuda", requires_grad=True)
seen = []
first = x.register_hook(lambda g: seen.append(tuple(g.shape)))
second = x.register_hook(lambda g: g * 2)
y = x * 3
y.register_hook(lambda g: g.clone())
y.sum().backward()
mem("tensor hooks")
first.remove()
second.remove()
x.grad = None
y = x * x
y.grad_fn.register_hook(lambda gi, go: seen.append((len(gi), len(go))))
y.grad_fn.register_prehook(lambda go: (go[0] * 2,))
y.sum().backward()
mem("node hooks")
print(seen)
x.grad = None
y = x.exp().sum()
node = y.grad_fn
accumulate = node.next_functions[0][0].next_functions[0][0]
print(node.name(), type(node).__name__, accumulate.variable is x)
del y
mem("a node keeps the graph")
del node, accumulate
mem("gone")
y = x.exp()
print(y.grad_fn._saved_result.shape)
del y
mem("end")
handle = x.register_post_accumulate_grad_hook(lambda p: setattr(p, "grad", None))
(x * 2).sum().backward()
mem("gradient dropped as it came")
