import torch
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
p = torch.randn(40, 30, device="cuda", requires_grad=True)
i = torch.tensor([3, 1, 2]); ig = i.cuda()
v = torch.randn(3, 30, device="cuda", requires_grad=True)
z = p * 1
z[i] = v
mem("cpu index put")
z[:, i] = 2.0
mem("cpu index put scalar")
y = z[i]; mem("cpu index")
y = z[:, i, None]; mem("cpu index none")
(z.sum() + y.sum()).backward(); mem("backward")
b = torch.zeros(40, 30, device="cuda", dtype=torch.float16)
b[ig] = v.detach().half(); mem("half")
b[0] = v.detach()[0]; mem("cast")
b[ig, ig] += 1; mem("aug")
b[torch.arange(40, device="cuda"), torch.zeros(40, dtype=torch.long, device="cuda")] = 1; mem("rows")
c = b[None, :, None]; mem("none")
d = b.view(4, 10, 30)[ig, :, ig]; mem("split" + str(d.shape))
e = b[ig][:, ig]; mem("chain")
f = b.T[ig].contiguous(); mem("t")
g = b[ig[None], ig[:, None]]; mem("outer" + str(g.shape))
h = [r for r in b[:5]]; mem("iter"); 
a, bb, cc = b[:3]; mem("unpack")
k = b[..., 0]; l = b[0, ...]; m = b[5:, 3:9:2]; mem("views")
n = torch.stack([b[j] for j in range(3)]); mem("stack")
o = b[torch.tensor(2)]; mem("0d cpu"); q = b[ig[0], ig[1]]; mem("0d")
x = torch.zeros(6, device="cuda"); x[2:4] = torch.tensor([1., 2.]); x[[0, 5]] = torch.tensor([1., 2.], device="cuda"); mem("1d")
x[...] = 5; x[:] = 3; mem("fill")
t = torch.randn(8, 16, 32, device="cuda"); cls = t[:, 0]; rest = t[:, 1:]; last = t[torch.arange(8), -1]; mem("tokens")
u = t.clone(); u[:, :, ::2] = t[:, :, 1::2]; u[:, :, 1::2] = -t[:, :, ::2]; mem("interleave")
try: t[9]
except IndexError as err: print(err)
try: t[0, 0, 0, 0]
except IndexError as err: print(err)
