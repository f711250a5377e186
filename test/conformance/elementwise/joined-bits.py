# Bits of two tensors joined and moved, greatest common divisors: of which types, in what dtype, and what is taken before others are refused.
import torch

flags = torch.ones(1000, dtype=torch.bool, device="cuda")
small = torch.ones(1000, dtype=torch.uint8, device="cuda")
whole = torch.ones(1000, dtype=torch.int32, device="cuda")
floats = torch.ones(1000, device="cuda")
waves = torch.ones(1000, dtype=torch.complex64, device="cuda")
host = torch.tensor([1, 2, 3])
shown = {id(t): n for n, t in dict(flags=flags, small=small, whole=whole, floats=floats, waves=waves, host=host).items()}


def show(name, x, y):
    function = getattr(torch, name, None) or getattr(torch.Tensor, name)
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    try:
        result = str(function(x, y).dtype)
    except (TypeError, RuntimeError) as error:
        result = f"{type(error).__name__}: {error}".splitlines()[0]
    print(name, shown.get(id(x), x), shown.get(id(y), y), result, torch.cuda.max_memory_allocated() - before)


for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift", "__lshift__", "__rshift__"):
    for x, y in (
        (whole, small), (small, whole), (whole, 3), (whole, 2.5), (flags, flags), (flags, whole), (flags, 1),
        (floats, whole), (whole, floats), (floats, 2), (waves, waves), (host, host), (host, 2),
    ):  # fmt: skip
        show(name, x, y)
for name in ("gcd", "lcm"):
    for x, y in ((whole, small), (flags, flags), (floats, whole), (floats, floats), (waves, waves), (host, host)):
        show(name, x, y)
for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    show(name, 3, whole)
    show(f"{name}_", whole, small)
    show(f"{name}_", small, whole)
    show(f"{name}_", flags, whole)
    show(f"{name}_", whole, floats)
    show(f"{name}_", floats, whole)
print((whole ^ 1).dtype, (3 ^ whole).dtype, (flags & flags).dtype, (small | whole).dtype)
print((host ^ 1).tolist(), (2 ^ host).tolist(), (host & 2).tolist(), (host | 4).tolist(), (host << 2).tolist(), (host >> 1).tolist())
whole &= small
whole |= 1
whole ^= small
print(whole.dtype, torch.cuda.memory_allocated())
