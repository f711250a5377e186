# equal and allclose answer the host: what they take until it has read, their errors, and copy_ of numbers and other types.
import torch

x = torch.ones(1000, 1000, device="cuda")
whole = torch.ones(300, 1000, dtype=torch.int32, device="cuda")
flags = torch.ones(300, 1000, dtype=torch.bool, device="cuda")
waves = torch.ones(300, 1000, dtype=torch.complex64, device="cuda")
host = torch.arange(6.0)
unknown = torch.tensor([float("nan")])


def show(name, run):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    try:
        result = run()
    except (RuntimeError, TypeError) as error:
        result = f"{type(error).__name__}: {error}".splitlines()[0]
    if torch.is_tensor(result):
        result = tuple(result.shape)
    print(name, result, torch.cuda.max_memory_allocated() - before, torch.cuda.memory_allocated() - before)


def kind(answer):
    """The device computes nothing where this is recorded: only the type is compared."""
    return type(answer).__name__


show("itself", lambda: torch.equal(x, x))
show("detached", lambda: x.equal(x.detach()))
show("a view", lambda: x.equal(x[:]))
show("another order", lambda: kind(x.equal(x.t())))
show("a copy", lambda: kind(torch.equal(x, x.clone())))
show("another shape", lambda: torch.equal(x, x[:10]))
show("another type", lambda: kind(torch.equal(x, x.half())))
show("by name", lambda: torch.equal(input=x, other=x))
show("nothing", lambda: torch.equal(x[:0], x[:0].clone()))
show("a number", lambda: torch.equal(x, 1))
show("a number in a method", lambda: x.equal(1.0))
show("host", lambda: torch.equal(host, host + 0))
show("host differs", lambda: torch.equal(host, host + 1))
show("host types", lambda: torch.equal(host, host.long()))
show("no number", lambda: torch.equal(unknown, unknown))

show("close", lambda: kind(torch.allclose(x, x.clone())))
show("close to a row", lambda: kind(torch.allclose(x, x[:1])))
show("close with a gradient", lambda: kind(torch.allclose(x.clone().requires_grad_(), x)))
show("close within nothing", lambda: kind(x.allclose(x.clone(), rtol=0, atol=0)))
show("close and unknown", lambda: kind(x.allclose(x.clone(), equal_nan=True)))
show("whole numbers", lambda: kind(torch.allclose(whole, whole.clone())))
show("flags", lambda: kind(torch.allclose(flags, flags.clone())))
show("complex", lambda: kind(torch.allclose(waves, waves.clone())))
show("complex and unknown", lambda: kind(torch.allclose(waves, waves.clone(), equal_nan=True)))
show("isclose of whole numbers", lambda: torch.isclose(whole, whole.clone()))
show("other shapes", lambda: torch.allclose(x, x[:10]))
show("other types", lambda: torch.allclose(x, x.half()))
show("close to a number", lambda: torch.allclose(x, 1.0))
show("negative", lambda: x.allclose(x, rtol=-1))
show("negative, too", lambda: x.isclose(x, atol=-1))
show("host close", lambda: torch.allclose(host, host + 1e-9))
show("host not close", lambda: torch.allclose(host, host + 1))
show("host whole numbers", lambda: torch.allclose(torch.tensor([1000000]), torch.tensor([1000001])))
show("host unknown", lambda: torch.allclose(unknown, unknown))
show("host equally unknown", lambda: torch.allclose(unknown, unknown, equal_nan=True))

show("copy a number", lambda: x.copy_(1.0))
show("copy a flag", lambda: x.copy_(True))
show("copy a half", lambda: x.copy_(x.half()))
show("copy by name", lambda: x.copy_(other=x))
show("copy a word", lambda: x.copy_("a"))
show("copy a list", lambda: x.copy_([1, 2]))
show("copy none", lambda: x.copy_(None))
show("copy in a word", lambda: x.copy_(x, "async"))
show("copy a number to the host", lambda: host.copy_(2))
print(host)
with_gradient = torch.ones(1000, device="cuda", requires_grad=True)
show("copy into a graph", lambda: (with_gradient * 2).copy_(3.0))
show("copy a gradient", lambda: torch.zeros(1000, device="cuda").copy_(with_gradient).sum().backward())
