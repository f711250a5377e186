import torch, time
F = torch.nn.functional
def show(tag, f):
    try:
        print(tag, f())
    except Exception as e:
        print(tag, type(e).__name__, str(e).replace("\n", " ")[:160])
def case(tag, make, *inputs):
    inputs = [i.detach().requires_grad_() if i.is_floating_point() else i for i in inputs]
    time.sleep(0.05)
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    try:
        out = make(*inputs)
    except Exception as e:
        print(tag, type(e).__name__, str(e)[:150].replace("\n", " "))
        return
    print(tag, torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before)
    if not out.requires_grad:
        return
    g = torch.ones_like(out)
    time.sleep(0.03)
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    r = None
    try:
        r = torch.autograd.grad(out, [i for i in inputs if i.requires_grad], g, allow_unused=True)
    except Exception as e:
        print(tag, "backward", type(e).__name__, str(e)[:150].replace("\n", " "))
    time.sleep(0.03)
    print(tag, "backward", torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before)
x = torch.ones(100, 1000, device="cuda")
idx = torch.zeros(100, 10, dtype=torch.int64, device="cuda")
case("take_along_dim", lambda x: torch.take_along_dim(x, idx, 1), x)
y = x.clone().requires_grad_()
show("slice all", lambda: type(y[:].grad_fn).__name__)
show("slice beyond", lambda: type(y[0:200].grad_fn).__name__)
show("slice two", lambda: [type(y[:, 0:3].grad_fn).__name__, type(y[:, 0:3].grad_fn.next_functions[0][0]).__name__])
a = torch.ones(3, device="cuda", requires_grad=True)
b = torch.ones(3, device="cuda", requires_grad=True)
show("grad unused", lambda: torch.autograd.grad((a * 2).sum(), [a, b]))
class Gone(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return g * 2, g.sum(0)
case("custom two", lambda x, w: Gone.apply(x * 1.0, w), x, torch.ones(1000, device="cuda"))
class Half(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return (g * 2).double(), (g * 3).double()
case("custom cast", lambda x, w: Half.apply(x * 1.0, w * 1.0), x, torch.ones(1, 1000, device="cuda").expand(100, 1000).clone())
class Wide(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return g * 2, g * 3
case("custom reduce", lambda x, w: Wide.apply(x * 1.0, w * 1.0), x, torch.ones(1000, device="cuda"))
case("custom reduce chain", lambda x, w: Wide.apply(x * 1.0, w * 1.0) * 2.0, x, torch.ones(1000, device="cuda"))
case("as_strided same", lambda x: x.as_strided((100, 1000), (1000, 1)) * 2, x)
case("as_strided inplace", lambda x: (x * 1).as_strided((100, 1000), (1000, 1)).mul_(2), x)
def inplace(x):
    z = x * 1
    v = z.view(1000, 100)
    v.mul_(3)
    return z
case("view inplace", inplace, x)
def inplace_t(x):
    z = x * 1
    v = z.t()
    v.mul_(3)
    return z
case("t inplace", inplace_t, x)
def inplace_s(x):
    z = x * 1
    v = z[10:20]
    v.mul_(3)
    return z
case("slice inplace", inplace_s, x)
i32 = torch.zeros(100, 10, dtype=torch.int32, device="cuda")
show("gather int32", lambda: x.gather(1, i32).shape)
show("scatter int32", lambda: x.clone().scatter(1, i32, 0.0).shape)
pool = torch.nn.MaxPool2d(2, return_indices=True)
p = torch.ones(4, 8, 32, 32, device="cuda")
def unpool(x):
    out, ind = pool(x)
    return F.max_unpool2d(out, ind.clamp(0, 1023), 2).transpose(2, 3)
case("unpool", unpool, p)
def unpool_cl(x):
    out, ind = pool(x)
    return F.max_unpool2d(out, ind.clamp(0, 1023), 2).contiguous(memory_format=torch.channels_last)
case("unpool cl", unpool_cl, p)
case("quantile", lambda x: torch.quantile(x, 0.3, 1), x)
print("end", torch.cuda.memory_allocated())
