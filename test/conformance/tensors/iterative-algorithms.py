import torch
def used(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
def newton(f, x, n):
    for _ in range(n):
        x = x.detach().requires_grad_()
        y = f(x); g, = torch.autograd.grad(y.sum(), x, create_graph=True); h, = torch.autograd.grad(g.sum(), x)
        x = x - g / h.abs().clamp_min(1e-3); used("step")
    return x.detach()
r = newton(lambda t: t ** 4 - 3 * t ** 2 + t, torch.randn(4000, device="cuda"), 3); used("newton")
def power(a, k):
    v = torch.randn(a.size(0), 1, device=a.device)
    for _ in range(k): v = a @ v; v = v / v.norm(); 
    return (v.t() @ a @ v).squeeze()
m = torch.randn(150, 150, device="cuda"); e = power(m, 5); used("power iteration")
def kmeans(x, k, n):
    c = x[:k].clone()
    for _ in range(n):
        d = torch.cdist(x, c); a = d.argmin(1); used("assign")
        oh = torch.nn.functional.one_hot(a, k).float(); c = (oh.t() @ x) / oh.sum(0).clamp(min=1)[:, None]
    return c, a
c, a = kmeans(torch.randn(600, 12, device="cuda"), 7, 2); used("kmeans")
w = torch.zeros(40, device="cuda", requires_grad=True); X = torch.randn(200, 40, device="cuda"); y = torch.rand(200, device="cuda")
opt = torch.optim.SGD([w], 0.1)
for _ in range(2): opt.zero_grad(); l = ((X @ w - y) ** 2).mean() + 0.1 * w.abs().sum(); l.backward(); opt.step(); used("ridge")
used("end")
