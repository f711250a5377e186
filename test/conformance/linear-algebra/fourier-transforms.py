import torch


def show(name, make):
    torch.cuda.reset_peak_memory_stats()
    made = make()
    parts = made if isinstance(made, (tuple, list)) else (made,)
    shapes = [tuple(t.shape) for t in parts if isinstance(t, torch.Tensor)]
    print(name, shapes, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    taken = [t for t in parts if isinstance(t, torch.Tensor) and t.requires_grad]
    if taken:
        sum(t.abs().sum() for t in taken).backward()
        print("  backward", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
        for leaf in leaves:
            leaf.grad = None


x = torch.rand(6, 32, 48, device="cuda", requires_grad=True)
z = torch.fft.fft(x.detach()).requires_grad_()
leaves = [x, z]
F = torch.fft
for name in "fft ifft rfft fft2 ifft2 rfft2 fftn ifftn rfftn".split():
    show(name, lambda: getattr(F, name)(x))
for name in "fft ifft irfft fft2 ifft2 irfft2 fftn ifftn irfftn fftshift ifftshift".split():
    show(name + " complex", lambda: getattr(F, name)(z))
show("stft", lambda: torch.stft(x[0], 16, window=torch.hann_window(16, device="cuda"), return_complex=True))
