# float_power computes in float64 or complex128 whatever its operands are: both may be numbers or tensors, and in place the base must be so wide.
import torch


def say(what, *tensors):
    shown = ", ".join(f"{tuple(t.shape)} {t.dtype} {t.grad_fn.name() if t.grad_fn else None}" for t in tensors)
    print(f"{what}: {shown}; {torch.cuda.memory_allocated()} now, {torch.cuda.max_memory_allocated()} at most")
    torch.cuda.reset_peak_memory_stats()


x = torch.rand(300, 1000, device="cuda", requires_grad=True)
e = torch.rand(1000, device="cuda", requires_grad=True)
say("of two tensors", torch.float_power(x, e))
say("of a tensor and a number", x.float_power(2), torch.float_power(x, exponent=0.5))
say("of a number and a tensor", torch.float_power(2, e), torch.float_power(1.0, e))
y = torch.float_power(x, e)
y.sum().backward()
say("backward", x.grad, e.grad)
del y
with torch.no_grad():
    i = torch.arange(2000, device="cuda")
    say("of whole numbers", torch.float_power(i, 2), i.float_power(i), i.bool().float_power(3))
    say("of complex numbers", torch.float_power(i + 1j, 2), torch.float_power(i, 1j))
    d = torch.ones(2000, device="cuda", dtype=torch.float64)
    say("in place", d.float_power_(2), d.float_power_(i), d.float_power_(x[0, :1]))
    out = torch.empty(0, device="cuda", dtype=torch.float64)
    say("out", torch.float_power(x, e, out=out))
    for base, exponent in ((x, 2), (i, i), (d, 1j)):
        try:
            base.float_power_(exponent)
        except RuntimeError as error:
            print(str(error).splitlines()[0])
