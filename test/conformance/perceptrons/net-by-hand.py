import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
w1 = torch.randn(64, 256, device="cuda", requires_grad=True); b1 = torch.zeros(256, device="cuda", requires_grad=True)
w2 = torch.randn(256, 8, device="cuda", requires_grad=True); b2 = torch.zeros(8, device="cuda", requires_grad=True)
x, y = torch.randn(96, 64, device="cuda"), torch.randn(96, 8, device="cuda")
for it in range(2):
    h = (x @ w1 + b1).clamp(min=0); mem("hidden")
    p = h.mm(w2).add(b2); mem("pred")
    loss = (p - y).pow(2).sum(); loss.backward(); mem("bwd")
    with torch.no_grad():
        for t in (w1, b1, w2, b2):
            t -= 1e-4 * t.grad; t.grad.zero_()
    mem("update")
hh = torch.einsum("bi,ij->bj", x, w1).relu_(); mem("einsum"); q = torch.addmm(b2, hh, w2); mem("addmm"); q.mean().backward(); mem("bwd")
