"""Results are kept though only the other input needs a gradient; an overload with a number keeps none."""
import torch
a = torch.rand(256, 256, device="cuda", requires_grad=True)
b = torch.rand(256, 256, device="cuda")
torch.cuda.reset_peak_memory_stats()
def t(f):
    c = f().flip(0)
    print(torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated()); del c
t(lambda: a.pow(b)); t(lambda: b.pow(a)); t(lambda: a.pow(2)); t(lambda: torch.pow(2.0, a))
t(lambda: torch.copysign(a, b)); t(lambda: torch.copysign(b, a)); t(lambda: torch.ldexp(a, b)); t(lambda: torch.ldexp(b, a))
e = torch.nn.functional.embedding_bag(torch.randint(0, 256, (64, 8), device="cuda"), a, mode="max")
print(torch.cuda.memory_allocated())
