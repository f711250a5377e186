import torch

R = lambda *s: torch.randn(*s, device="cuda", requires_grad=True)
(R(2, 2) @ R(2, 2)).sum().backward()
x, y, b3, c3, z3 = R(70, 60), R(80, 70), R(6, 70, 60), R(6, 80, 70), R(6, 80, 60)
bias, table, one, u, v = R(60), R(80, 60), R(1), R(70), R(60)
for name, f in [("addmm", lambda: torch.addmm(bias, y, x)), ("addmm 2-D", lambda: torch.addmm(table, y, x, beta=0.5, alpha=2)), ("addmm number", lambda: torch.addmm(one, y, x)),
                ("addmv", lambda: torch.addmv(u, x, v, beta=2, alpha=3)), ("mv", lambda: x.mv(v)), ("dot", lambda: u.dot(u)), ("inner", lambda: torch.inner(x, x)),
                ("outer", lambda: torch.outer(u, v)), ("baddbmm", lambda: torch.baddbmm(z3, c3, b3, beta=0.1, alpha=3)), ("baddbmm bias", lambda: torch.baddbmm(bias, c3, b3)),
                ("addbmm", lambda: torch.addbmm(table, c3, b3)), ("multi_dot", lambda: torch.linalg.multi_dot([y, x, table.t(), table, v])),
                ("chain_matmul", lambda: torch.chain_matmul(y, x, table.t())), ("tensordot", lambda: torch.tensordot(c3, b3, dims=([0, 2], [0, 1]))),
                ("tensordot 0", lambda: torch.tensordot(u, v, 0)), ("kron", lambda: torch.kron(x[:3, :4], y[:5, :6])), ("power 7", lambda: torch.matrix_power(x[:60], 7)),
                ("vecdot", lambda: torch.linalg.vecdot(b3, b3)), ("in place", lambda: (table * 1).addmm_(y, x))]:
    base = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    r = f()
    print(name, tuple(r.shape), torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated() - base)
    r.sum().backward()
    print("  ", torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated() - base)
    del r
    for t in (x, y, b3, c3, z3, bias, table, one, u, v):
        t.grad = None
