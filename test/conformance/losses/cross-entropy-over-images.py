import torch, torch.nn as nn
import torch.nn.functional as F
x = torch.randn(4, 19, 23, 25, device="cuda", requires_grad=True)
t = torch.randint(0, 19, (4, 23, 25), device="cuda")
w = torch.rand(19, device="cuda")
def run(n, f):
    torch.cuda.reset_peak_memory_stats(); b = torch.cuda.memory_allocated()
    l = f(); a = torch.cuda.memory_allocated() - b
    l.backward()
    print(n, a, torch.cuda.memory_allocated() - b, torch.cuda.max_memory_allocated() - b)
    x.grad = None
run("seg", lambda: F.cross_entropy(x, t))
run("seg none", lambda: F.cross_entropy(x, t, reduction="none").mean())
run("seg weight ignore", lambda: F.cross_entropy(x, t, weight=w, ignore_index=0))
run("seg smooth", lambda: F.cross_entropy(x, t, label_smoothing=0.1))
run("seg prob", lambda: F.cross_entropy(x, x.detach().softmax(1)))
run("flat", lambda: F.cross_entropy(x.permute(0, 2, 3, 1).reshape(-1, 19), t.reshape(-1)))
run("5d", lambda: F.cross_entropy(x.unsqueeze(-1), t.unsqueeze(-1)))
run("3d", lambda: F.cross_entropy(x.flatten(2), t.flatten(1)))
run("nll", lambda: F.nll_loss(F.log_softmax(x, dim=1), t, reduction="sum"))
run("dice", lambda: 1 - (2 * (x.softmax(1) * F.one_hot(t, 19).permute(0, 3, 1, 2)).sum((0, 2, 3)) / (x.softmax(1).sum((0, 2, 3)) + 1e-6)).mean())
