import torch
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()

x = torch.randn(6000, 3, device="cuda", requires_grad=True)
h = torch.randn(6000, 3, device="cuda").half()
mem("start")
with torch.autocast("cuda"):
    y = torch.cross(x, h, -1)
    mem(f"cross {y.dtype}")
    y.sum().backward()
    mem("backward")
    del y
    try:
        F.binary_cross_entropy(h.sigmoid(), h.sigmoid())
    except RuntimeError as e:
        print(e)
    mem("refused")
    with torch.autocast("cuda", enabled=False):
        loss = F.binary_cross_entropy(x.sigmoid(), h.float().sigmoid())
    mem("allowed in a disabled region")
    del loss
    mem("end")
