import torch

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


x = torch.randn(300, 200, device="cuda", requires_grad=True)
for name, f in [("view", lambda t: t.view(-1)), ("reshape", lambda t: t.t().reshape(-1)), ("column", lambda t: t[:, 5]), ("every second", lambda t: t[::2]),
                ("expand", lambda t: t.expand(3, 300, 200)), ("diagonal", lambda t: t.diagonal()), ("unfold", lambda t: t.unfold(1, 5, 2)),
                ("as_strided", lambda t: t.as_strided((10, 10), (200, 1))), ("split", lambda t: t.split(100)[1]), ("unbind", lambda t: t.unbind(0)[3]),
                ("repeat", lambda t: t.repeat(2, 1)), ("flip", lambda t: t.flip(0)), ("roll", lambda t: t.roll(3)), ("tensor_split", lambda t: t.tensor_split(3)[0]),
                ("tril", lambda t: t.tril()), ("repeat_interleave", lambda t: t.repeat_interleave(2, 0)), ("block_diag", lambda t: torch.block_diag(t[:3], t[:4])),
                ("diag_embed", lambda t: torch.diag_embed(t[:5])), ("stack", lambda t: torch.stack([t, t])), ("dstack", lambda t: torch.dstack([t, t])),
                ("meshgrid", lambda t: torch.meshgrid(t[0], t[1], indexing="ij")[0]), ("cartesian", lambda t: torch.cartesian_prod(t[0, :5], t[1, :6]))]:
    torch.cuda.reset_peak_memory_stats()
    (f(x) * 2).sum().backward()
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), x.grad.stride())
    x.grad = None
