# The hash of a tensor, over everything and over dimensions: one number of 64 bits each.
import torch


def say(what, t):
    print(f"{what}: {tuple(t.shape)} {t.dtype}; {torch.cuda.memory_allocated()} now, {torch.cuda.max_memory_allocated()} at most")
    torch.cuda.reset_peak_memory_stats()


for dtype in (torch.float32, torch.bfloat16, torch.int64, torch.bool):
    x = torch.zeros(64, 300, 128, device="cuda", dtype=dtype)
    say("all", torch.hash_tensor(x))
    say("a method", x.hash_tensor())
    say("over the last", torch.hash_tensor(x, -1))
    say("over the first, kept", x.hash_tensor(0, keepdim=True))
    say("over two", x.hash_tensor((0, 2)))
    say("turned", torch.hash_tensor(x.transpose(0, 2), 0))
    del x
w = torch.ones(1000, 1000, device="cuda", requires_grad=True)
print(torch.hash_tensor(w).requires_grad)
for mode in (0, 1):
    try:
        say(f"mode {mode}", torch.hash_tensor(w, mode=mode))
    except RuntimeError as error:
        print(str(error).splitlines()[0])
