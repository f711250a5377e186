import torch
def used(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
a = torch.randn(500, 200, device="cuda"); b = torch.randn(200, device="cuda"); used("ab")
c = a + b; used("broadcast"); c += b; used("inplace"); c = c * 2 + 1; used("two temporaries"); c = torch.addcmul(c, a, b, value=0.1); used("addcmul")
d = a @ b; used("mv"); e = a.t() @ a; used("mm"); f = torch.outer(b, b); used("outer"); g = torch.dot(b, b); used("dot"); h = torch.bmm(a.view(5, 100, 200), a.view(5, 200, 100)); used("bmm")
i = torch.einsum("ij,kj->ik", a, a); used("einsum"); j = torch.tensordot(a, f, dims=1); used("tensordot"); k = torch.linalg.norm(a, dim=1); used("norm")
l = torch.where(a > 0, a, torch.zeros_like(a)); used("where"); m = torch.where(a > 0, a, 0.0); used("where scalar"); n = a.clamp(0, 1); used("clamp"); o = torch.lerp(a, n, 0.3); used("lerp")
p = (a > 0) & (a < 1); used("masks"); q = ~p; used("not"); r = p.float(); used("float"); s = a.masked_fill(p, 0); used("masked_fill"); t = torch.cat([a, s]); used("cat"); u = torch.chunk(t, 4); used("chunk")
v = a.sign() * a.abs().sqrt(); used("sign sqrt"); w = a.sigmoid().logit(); used("logit"); x = torch.maximum(a, b); used("maximum"); y = a.floor().long(); used("long"); z = y % 7; used("mod")
