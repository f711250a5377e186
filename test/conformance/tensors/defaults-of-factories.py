# What factories make where dtype, device or layout is not named: by set_default_dtype, by their numbers, by a device around them.
import torch


def say(what, *tensors):
    shown = ", ".join(f"{tuple(t.shape)} {t.stride()} {t.dtype} {t.device.type} {t.requires_grad}" for t in tensors)
    print(f"{what}: {shown}; {torch.cuda.memory_allocated()} now, {torch.cuda.max_memory_allocated()} at most")
    torch.cuda.reset_peak_memory_stats()


def fails(what, run):
    try:
        run()
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {str(error).splitlines()[0]}")


def made(what):
    with torch.device("cuda"):
        say(f"{what} sized", torch.empty(3, 5), torch.zeros((3, 5)), torch.ones(3, 5), torch.rand(7), torch.randn([7]), torch.zeros(()))
        say(f"{what} filled", torch.full((3,), 1), torch.full((3,), 1.5), torch.full((3,), True), torch.full(size=(2,), fill_value=2))
        say(f"{what} steps", torch.arange(5), torch.arange(5.0), torch.arange(1, 7, 2), torch.arange(0, 1, 0.1), torch.arange(start=1, end=4))
        say(f"{what} ranges", torch.range(0, 4), torch.range(1, 2, 0.5), torch.range(1, 9, 2, dtype=torch.int64))
        say(f"{what} spaced", torch.linspace(0, 1, 11), torch.logspace(0, 1, 11), torch.linspace(start=0, end=1, steps=3))
        say(f"{what} whole", torch.randint(10, (4,)), torch.randint(2, 10, (4, 2)), torch.randint(low=0, high=9, size=(3,)), torch.randperm(9))
        say(f"{what} matrices", torch.eye(3), torch.eye(3, 4), torch.tril_indices(4, 5), torch.triu_indices(4, 5, 1), torch.triu_indices(4, 5, offset=-1))
        say(f"{what} by strides", torch.empty_strided((2, 3), (1, 2)), torch.empty_permuted((2, 3, 4), (0, 2, 1)), torch.scalar_tensor(3))
        say(f"{what} normal", torch.normal(0.0, 1.0, (5,)), torch.normal(0, 1, size=(5, 2)), torch.normal(torch.zeros(4), torch.ones(4)))
        say(f"{what} normal with a number", torch.normal(torch.zeros(4)), torch.normal(1.0, torch.ones(4)), torch.normal(mean=torch.zeros(3, 1), std=2.0))
        say(f"{what} of whole numbers", torch.arange(4) / 2, torch.arange(4) * 2.5, torch.arange(4).sin(), torch.true_divide(torch.arange(4), 2))
        say(f"{what} complex", torch.full((2,), 1j), torch.arange(4) * 1j)


made("float32")
for dtype in (torch.float64, torch.bfloat16):
    torch.set_default_dtype(dtype)
    made(str(dtype))
torch.set_default_dtype(torch.float32)

x = torch.empty(4, 6, 8, 10, device="cuda", memory_format=torch.channels_last)
say("channels_last", x)
y = x[:2].half()
say("like", torch.empty_like(x), torch.zeros_like(y), torch.ones_like(y, dtype=torch.int32), torch.full_like(y, 3), torch.rand_like(x, memory_format=torch.contiguous_format))
say("like with numbers", torch.randint_like(x, 5), torch.randint_like(x, 2, 5), torch.randint_like(x, low=0, high=3, dtype=torch.int64), torch.randn_like(y, requires_grad=True))
say("like on the host", torch.zeros_like(y, device="cpu"), torch.empty_like(x, device="cpu", pin_memory=False))
say("new", y.new_empty(3, 4), y.new_zeros((3, 4)), y.new_ones(3), y.new_full((3, 4), 1.5), y.new_empty_strided((2, 3), (1, 2)))
say("new with more", y.new_zeros(3, dtype=torch.float32), y.new_ones((2,), device="cpu"), y.new_full((2,), 1, requires_grad=True), y.new_tensor([1, 2]))
say("a gradient", torch.zeros(3, device="cuda", requires_grad=True), torch.arange(3.0, requires_grad=True), torch.linspace(0, 1, 3, requires_grad=True))
out = torch.empty(0, device="cuda")
say("out", torch.zeros(1000, out=out), torch.arange(3000, out=out), torch.rand(100, 3, out=out), torch.full((7,), 2, out=out), torch.linspace(0, 1, 9, out=out))
say("tensors as numbers", torch.arange(torch.tensor(3)), torch.full((2,), torch.tensor(2)), torch.zeros(torch.tensor(3), 2), torch.linspace(torch.tensor(0.0), 1, 3))
say("pinned", torch.zeros(3, pin_memory=True))
z = torch.empty(1000, device="cuda", dtype=torch.int64)
say("drawn in place", z.random_(), z.random_(5), z.random_(2, 9), z.random_(to=7))
fails("negative", lambda: torch.empty(-1))
fails("a word for a size", lambda: torch.empty("a"))
fails("a gradient of whole numbers", lambda: torch.arange(3, requires_grad=True))
fails("no step", lambda: torch.arange(0, 3, 0))
fails("away from the end", lambda: torch.arange(3, 0))
fails("pinned on a GPU", lambda: torch.zeros(3, device="cuda", pin_memory=True))
fails("a deviation below zero", lambda: torch.normal(0.0, -1.0, (3,)))
fails("a word for a number", lambda: torch.full((3,), "a"))
fails("a default that is whole", lambda: torch.set_default_dtype(torch.int64))
