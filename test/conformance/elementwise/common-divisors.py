import torch

x = torch.randint(1, 99, (100, 60), device="cuda")
y = torch.randint(1, 99, (60,), device="cuda", dtype=torch.int32)


def show(name, made):
    print(name, tuple(made.shape), made.dtype, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


show("gcd", torch.gcd(x, y))
show("method", x.gcd(y))
show("in place", x.gcd_(y))
show("out", torch.gcd(x, y, out=torch.empty_like(x)))
