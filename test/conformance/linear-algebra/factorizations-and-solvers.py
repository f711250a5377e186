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


m = (torch.rand(4, 30, 30, device="cuda") + 30 * torch.eye(30, device="cuda")).requires_grad_()
s = (m.detach() + m.detach().mT).requires_grad_()
r = torch.rand(4, 30, 3, device="cuda", requires_grad=True)
leaves = [m, s, r]
L = torch.linalg
show("det", lambda: L.det(m))
show("torch.det", lambda: torch.det(m))
show("slogdet", lambda: L.slogdet(m))
show("torch.slogdet", lambda: torch.slogdet(m))
show("logdet", lambda: torch.logdet(m))
show("matrix_power", lambda: L.matrix_power(m, 3))
show("matrix_exp", lambda: L.matrix_exp(m))
show("torch.matrix_exp", lambda: torch.matrix_exp(m))
show("solve_triangular", lambda: L.solve_triangular(m, r, upper=True))
show("lu_factor_ex", lambda: L.lu_factor_ex(m.detach()))
show("cholesky_solve", lambda: torch.cholesky_solve(r.detach(), m.detach()))
show("cholesky_inverse", lambda: torch.cholesky_inverse(m.detach()))
show("inv_ex", lambda: L.inv_ex(m))
show("cholesky_ex", lambda: L.cholesky_ex(s.detach()))
show("lu_solve", lambda: L.lu_solve(*[t.detach() for t in L.lu_factor_ex(m.detach())[:2]], r.detach()))
show("qr", lambda: L.qr(m))
show("svdvals", lambda: L.svdvals(m))
show("svd", lambda: torch.svd(m.detach()))
show("eigvalsh", lambda: L.eigvalsh(s))
show("eig", lambda: L.eig(m.detach()))
show("householder_product", lambda: L.householder_product(m.detach(), r.detach()[..., 0]))
show("pinv", lambda: L.pinv(m.detach()))
show("pinverse", lambda: torch.pinverse(m.detach()))
show("matrix_norm", lambda: L.matrix_norm(m))
show("cond", lambda: L.cond(m.detach()))
show("cdist", lambda: torch.cdist(r, r, p=1.5))
show("pdist", lambda: torch.pdist(r[0]))
