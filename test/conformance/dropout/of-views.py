import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x = torch.randn(100, 99, device="cuda", requires_grad=True)
y = torch.nn.functional.dropout(x.t(), 0.4); mem("transposed"); print(y.stride())
y.sum().backward(); mem("bwd"); del y; x.grad = None
y = torch.nn.functional.dropout(x[:, ::2], 0.4); mem("strided"); print(y.stride())
y.sum().backward(); mem("bwd"); del y; x.grad = None
y = torch.nn.functional.dropout(x.unsqueeze(0).expand(4, -1, -1), 0.4); mem("expanded"); print(y.stride())
y.sum().backward(); mem("bwd"); del y; x.grad = None
y = torch.nn.functional.dropout(x[0], 0.4); mem("row")
y.sum().backward(); mem("bwd")
y = torch.dropout(x, 0.4, True); mem("torch.dropout")
z = torch.nn.functional.dropout(x.double(), 0.4); mem("double")
z.sum().backward(); mem("bwd")
