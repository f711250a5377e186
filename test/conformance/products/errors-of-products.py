import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.randn(70, 60, device="cuda", requires_grad=True)
y = torch.randn(80, 70, device="cuda")
for name, f in [("mm", lambda: torch.mm(x, x)), ("matmul", lambda: x @ x), ("bmm of matrices", lambda: torch.bmm(x, x)), ("linear", lambda: F.linear(x, x.t())),
                ("module", lambda: nn.Linear(50, 10).cuda()(x)), ("add", lambda: x + y), ("view", lambda: x.view(3, 7)), ("view of a transpose", lambda: x.t().view(-1)),
                ("expand", lambda: x.expand(3, 4)), ("index", lambda: x[100]), ("too many", lambda: x[0, 0, 0]), ("item", lambda: x.item()), ("bool", lambda: bool(x)),
                ("int", lambda: int(x.detach())), ("numpy", lambda: x.numpy()), ("permute", lambda: x.permute(0, 0)), ("chunk", lambda: x.chunk(0)), ("out", lambda: torch.mm(y, x, out=y)),
                ("integers", lambda: torch.ones(3, dtype=torch.int64, device="cuda", requires_grad=True)), ("dtype", lambda: torch.tensor([1.0], dtype="float"))]:
    try:
        f()
        print(name, "works")
    except Exception as e:
        print(name, type(e).__name__, str(e)[:90])
print(torch.cuda.memory_allocated())
