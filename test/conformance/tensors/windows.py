# Windows of signals: a periodic one is a view of one element more, and blackman_window adds up two cosines.
import torch


def say(what, *tensors):
    shown = ", ".join(f"{tuple(t.shape)} {t.stride()} {t.dtype}" for t in tensors)
    print(f"{what}: {shown}; {torch.cuda.memory_allocated()} now, {torch.cuda.max_memory_allocated()} at most")
    torch.cuda.reset_peak_memory_stats()


for name in ("bartlett_window", "blackman_window", "hann_window", "hamming_window", "kaiser_window"):
    make = getattr(torch, name)
    for periodic in (True, False):
        w = make(1 << 20, periodic, device="cuda")
        say(f"{name} {periodic}", w)
        del w
    say(f"{name} of one and none", make(1, device="cuda"), make(0, device="cuda"))
    w = make(1000, dtype=torch.float64, device="cuda", requires_grad=True)
    say(f"{name} in float64", w)
    del w
say("hamming_window with alpha and beta", torch.hamming_window(2048, True, 0.5, 0.5, device="cuda"))
say("kaiser_window with beta", torch.kaiser_window(2048, False, 8.0, device="cuda"))
