import torch, torch.nn as nn
import torch.nn.functional as F
x = torch.randn(300, 57, device="cuda", requires_grad=True)
c = torch.randint(0, 57, (300,), device="cuda")
w = torch.rand(57, device="cuda")
p = torch.rand(300, 57, device="cuda").softmax(1)
fs = {"mean": lambda: F.cross_entropy(x, c), "sum": lambda: F.cross_entropy(x, c, reduction="sum"), "none": lambda: F.cross_entropy(x, c, reduction="none").mean(),
      "weight": lambda: F.cross_entropy(x, c, weight=w), "ignore": lambda: F.cross_entropy(x, c, ignore_index=3),
      "smooth": lambda: F.cross_entropy(x, c, label_smoothing=0.1), "smooth sum": lambda: F.cross_entropy(x, c, label_smoothing=0.1, reduction="sum"),
      "smooth none": lambda: F.cross_entropy(x, c, label_smoothing=0.2, reduction="none").sum(),
      "prob": lambda: F.cross_entropy(x, p), "prob smooth": lambda: F.cross_entropy(x, p, label_smoothing=0.1), "prob weight": lambda: F.cross_entropy(x, p, weight=w, reduction="sum"),
      "module": lambda: nn.CrossEntropyLoss(weight=w, reduction="sum")(x, c), "nll": lambda: nn.NLLLoss()(x.log_softmax(-1), c), "t": lambda: F.cross_entropy(x.t(), c[:57] % 300)}
base = torch.cuda.memory_allocated()
print("base", base)
for n, f in fs.items():
    torch.cuda.reset_peak_memory_stats()
    l = f()
    a = torch.cuda.memory_allocated() - base
    l.backward()
    print(n, a, torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated() - base)
    x.grad = None
    del l
