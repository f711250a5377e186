# Products of half precision whose results are asked for in single precision: what they allocate, which calls are refused.
import torch


def show(what):
    print(what, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


def half(*sizes):
    return torch.ones(*sizes, device="cuda", dtype=torch.bfloat16)


a, b = half(256, 128), half(128, 512)
show("inputs")
product = torch.mm(a, b, out_dtype=torch.float32)
show("mm")
print(product.dtype, product.shape)
again = torch.mm(a, b, torch.bfloat16)
show("mm, as it is")
print(again.dtype)
total = torch.zeros(256, 512, device="cuda")
show("total")
torch.addmm(total, a, b, out_dtype=torch.float32, out=total)
show("addmm into its addend")
summed = torch.addmm(total, a, b, out_dtype=torch.float32)
show("addmm")
low = torch.addmm(again, a, b, out_dtype=torch.float32, beta=0.5)
show("addmm of a low addend")
print(summed.dtype, low.dtype)
many = torch.bmm(half(4, 64, 32), half(4, 32, 64), out_dtype=torch.float32)
show("bmm")
print(many.dtype, many.shape)
more = torch.baddbmm(many, half(4, 64, 32), half(4, 32, 64), out_dtype=torch.float32)
show("baddbmm")
print(more.dtype)
a.requires_grad_()
asked = torch.mm(a, b, out_dtype=torch.float32)
print(asked.requires_grad)
for call in (
    lambda: asked.sum().backward(),
    lambda: torch.mm(a, b, out_dtype=torch.float16),
    lambda: torch.mm(a.float(), b.float(), out_dtype=torch.float64),
    lambda: a.mm(b, out_dtype=torch.float32),
    lambda: total.addmm(a, b, out_dtype=torch.float32),
    lambda: torch.addmm(total, a, a, out_dtype=torch.float32),
):
    try:
        call()
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__, str(error).splitlines()[0])
show("end")
