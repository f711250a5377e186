import torch
from einops import rearrange, reduce, repeat, einsum, pack, unpack, parse_shape, EinopsError
from einops.layers.torch import Rearrange, Reduce

def mem(tag):
    print(f"{tag:<44}{torch.cuda.memory_allocated():>12}{torch.cuda.max_memory_allocated():>12}")
    torch.cuda.reset_peak_memory_stats()

x = torch.randn(4, 6, 20, 30, device="cuda", requires_grad=True)
mem("x")
for f, p, kw in [(rearrange, "b c h w -> b (c h w)", {}), (rearrange, "b c h w -> b h w c", {}), (rearrange, "b c (h p) (w q) -> b (h w) (p q c)", dict(p=2, q=3)), (rearrange, "b (c d) h w -> (b d) c h w", dict(d=2)),
                 (rearrange, "b ... -> ... b", {}), (rearrange, "b c ... -> b (...) c", {}), (rearrange, "b c h w -> b 1 c (h w) 1", {}), (repeat, "b c h w -> b c (h 2) (w k)", dict(k=3)), (repeat, "b c h w -> b n c h w", dict(n=5)), (repeat, "b c h w -> (n b) c h w", dict(n=2))]:
    y = f(x, p, **kw)
    mem(f"{p} {tuple(y.shape)} {y.stride()}")
    y.sum().backward()
    mem("  backward")
    x.grad = None
    del y
for p, op, kw in [("b c h w -> b c", "mean", {}), ("b c (h p) (w q) -> b c h w", "max", dict(p=2, q=2)), ("b c h w -> 1 c 1 1", "sum", {}), ("b c h w -> c b", "min", {}), ("b c h w -> w (b c)", "prod", {}), ("b c ... -> b c", "mean", {})]:
    y = reduce(x, p, op, **kw)
    mem(f"{p} {op} {tuple(y.shape)} {y.stride()}")
    y.sum().backward()
    mem("  backward")
    x.grad = None
    del y
y = einsum(x, x, "b c h w, b d h w -> b c d")
mem(f"einsum {tuple(y.shape)}")
y = rearrange([x.detach()[0], x.detach()[1]], "n c h w -> c n h w")
mem(f"list {tuple(y.shape)}")
a, s = pack([x.detach(), torch.zeros(4, 6, 7, device="cuda"), torch.zeros(4, 6, device="cuda")], "b c *")
mem(f"pack {tuple(a.shape)} {[tuple(i) for i in s]}")
u = unpack(a, s, "b c *")
mem(f"unpack {[tuple(i.shape) for i in u]}")
print(parse_shape(x, "b _ h w"), parse_shape(x, "b ... w"))
net = torch.nn.Sequential(Rearrange("b c (h p) (w q) -> b (h w) (c p q)", p=2, q=2), torch.nn.Linear(24, 8), Reduce("b n d -> b d", "mean")).cuda()
print(net)
z = net(x)
mem(f"layers {tuple(z.shape)}")
for bad in ("b c h -> b c h", "b c h w -> b c h", "b c (h p) w -> b c h p w", "b b h w -> b h w", "b c h w - > b", "b c (h p) (w q) -> b (h w) (p q c)"):
    try:
        rearrange(x, bad)
        print("no error", bad)
    except Exception as e:
        print(type(e).__name__, bad)
