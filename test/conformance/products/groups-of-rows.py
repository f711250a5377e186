import torch
import torch.nn.functional as F

torch.manual_seed(0)


def show(what, *tensors):
    print(what, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), *[(tuple(t.shape), t.stride()) for t in tensors])
    torch.cuda.reset_peak_memory_stats()


x = torch.randn(120, 64, device="cuda", dtype=torch.bfloat16, requires_grad=True)
w = torch.randn(4, 64, 40, device="cuda", dtype=torch.bfloat16, requires_grad=True)
v = torch.randn(4, 40, 64, device="cuda", dtype=torch.bfloat16, requires_grad=True)
ends = torch.tensor([30, 60, 100, 120], device="cuda", dtype=torch.int32)
show("made")
for what, call in (
    ("rows by matrices", lambda: torch._grouped_mm(x, w, ends)),
    ("rows by matrices that are transposed", lambda: F.grouped_mm(x, v.transpose(-2, -1), offs=ends)),
    ("columns by rows", lambda: F.grouped_mm(x.t(), x.detach(), offs=ends)),
    ("matrices by columns", lambda: F.grouped_mm(w.transpose(-2, -1), x.t(), offs=ends)),
    ("matrices by matrices", lambda: F.grouped_mm(w, v)),
    ("through an activation", lambda: F.grouped_mm(F.silu(F.grouped_mm(x, w, offs=ends)), v, offs=ends)),
):
    y = call()
    show(what, y)
    y.float().sum().backward()
    show("  backward", *[t.grad for t in (x, w, v) if t.grad is not None])
    del y
    x.grad = w.grad = v.grad = None
show("gone")
