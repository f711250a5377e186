import torch
from torch.nn import functional as F

x = torch.randn(300, 200, device="cuda", requires_grad=True)
y = torch.randn(300, 200, device="cuda", dtype=torch.float64)
mask = torch.zeros(300, 200, dtype=torch.bool, device="cuda")
image = torch.randn(2, 3, 20, 24, device="cuda", requires_grad=True)
line = torch.randn(2, 3, 40, device="cuda", requires_grad=True)
kernel, thin = torch.randn(4, 3, 3, 3, device="cuda"), torch.randn(4, 3, 3, device="cuda")


def show(name, make):
    try:
        made = make()
    except Exception as error:
        print(name, type(error).__name__, error)
        return
    if not isinstance(made, torch.Tensor):
        print(name, made)
        return
    print(name, tuple(made.shape), made.stride(), made.dtype, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    if made.requires_grad:
        node = made.grad_fn.name()
        made.sum().backward()
        print("  ", node, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
        x.grad = image.grad = line.grad = None
    torch.cuda.reset_peak_memory_stats()


show("tensors", lambda: torch.where(mask, x, y))
show("number last", lambda: torch.where(mask, x, 0))
show("number first", lambda: torch.where(mask, 0.5, x))
show("integers", lambda: torch.where(mask, 1, 2))
show("mixed numbers", lambda: torch.where(mask, 1, 2.5))
show("keywords", lambda: torch.where(condition=mask, input=x, other=y))
show("keyword other", lambda: torch.where(mask, x, other=1))
show("method", lambda: x.where(mask, y))
show("method number", lambda: x.where(mask, 3))
show("method keywords", lambda: x.where(condition=mask, other=y))
show("out", lambda: torch.where(mask, y, y, out=torch.empty(0, device="cuda", dtype=torch.float64)))
show("two arguments", lambda: torch.where(mask, x))
show("number as condition", lambda: torch.where(1, x, y))
show("text", lambda: torch.where(mask, "a", x))
show("method alone", lambda: x.where(mask))

show("narrow", lambda: torch.narrow(x, 0, 10, 20))
show("narrow method", lambda: x.narrow(1, -50, 30))
show("narrow from a tensor", lambda: torch.narrow(x, 0, torch.tensor(7), 20))
show("narrow method from a tensor", lambda: x.narrow(1, torch.tensor(3), length=30))
show("narrow keywords", lambda: torch.narrow(input=x, dim=1, start=2, length=3))
show("narrow from floats", lambda: torch.narrow(x, 0, torch.tensor(7.0), 20))
show("narrow from a list", lambda: torch.narrow(x, 0, [1], 20))
show("narrow too far", lambda: torch.narrow(x, 0, 290, 20))

for name, run in (("functional", F), ("torch", torch)):
    show(f"{name} conv2d", lambda: run.conv2d(image, kernel))
    show(f"{name} conv2d number", lambda: run.conv2d(image, kernel, None, 2, 1, 1))
    show(f"{name} conv2d list", lambda: run.conv2d(image, kernel, stride=[2], padding=[1, 0]))
    show(f"{name} conv2d same", lambda: run.conv2d(image, kernel, padding="same"))
    show(f"{name} conv2d valid", lambda: run.conv2d(image, kernel, None, (1, 2), "valid"))
    show(f"{name} conv1d", lambda: run.conv1d(line, thin, padding=2, dilation=2))
    show(f"{name} conv1d same", lambda: run.conv1d(line, thin, padding="same"))
    show(f"{name} conv_transpose2d", lambda: run.conv_transpose2d(image, kernel.transpose(0, 1), stride=2, output_padding=1))
    show(f"{name} avg_pool1d", lambda: run.avg_pool1d(line, 4))
    show(f"{name} avg_pool1d list", lambda: run.avg_pool1d(line, [4], [2], ceil_mode=True))
    show(f"{name} adaptive_avg_pool1d", lambda: run.adaptive_avg_pool1d(line, 5))
    show(f"{name} max_pool2d", lambda: run.max_pool2d(image, 2))
show("avg_pool2d", lambda: F.avg_pool2d(image, 2))
show("avg_pool2d no stride", lambda: F.avg_pool2d(image, 3, stride=None, padding=1))
show("avg_pool2d list", lambda: F.avg_pool2d(image, [3, 2], [2], count_include_pad=False, divisor_override=4))
show("avg_pool3d", lambda: F.avg_pool3d(image[None], (1, 2, 2)))
show("avg_pool2d of text", lambda: F.avg_pool2d(image, "a"))
show("avg_pool2d twice", lambda: F.avg_pool2d(image, 2, kernel_size=3))
show("max_pool2d indices", lambda: F.max_pool2d(image, 2, return_indices=True)[1])
show("max_pool1d", lambda: F.max_pool1d(line, 3, 2, 1))
