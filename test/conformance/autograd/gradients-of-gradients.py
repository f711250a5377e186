import torch, torch.nn as nn, torch.nn.functional as F, gc
from torch.autograd import grad, Function
dev = "cuda"
M = torch.cuda.memory_allocated
P = torch.cuda.max_memory_allocated
def t(label, f):
    for v in list(globals().values()):
        if isinstance(v, torch.Tensor) and v.is_leaf: v.grad = None
    v = None
    torch.cuda.reset_peak_memory_stats(); b = M(); r = None
    try:
        r = f()
        if isinstance(r, torch.Tensor): d = (tuple(r.shape), r.stride(), r.requires_grad)
        elif isinstance(r, (tuple, list)): d = [(tuple(x.shape), x.requires_grad) if isinstance(x, torch.Tensor) else x for x in r][:6]
        else: d = r if isinstance(r, (int, float, str, bool, type(None))) else type(r).__name__
        print(label, d, M() - b, P() - b)
    except Exception as e: print(label, "!!", type(e).__name__, str(e).split("\n")[0][:200])
    r = None
    if M() - b: print("   left", M() - b)
x = torch.rand(30, 40, device=dev, requires_grad=True); w = torch.rand(40, 50, device=dev, requires_grad=True); bb = torch.rand(50, device=dev, requires_grad=True)
c = torch.rand(2, 4, 12, 12, device=dev, requires_grad=True); k = torch.rand(6, 4, 3, 3, device=dev, requires_grad=True); ids = torch.zeros(7, dtype=torch.long, device=dev); lab = torch.zeros(30, dtype=torch.long, device=dev)
x @ w
def hv(f, *ins):
    def run():
        y = f(*ins)
        gs = grad(y.sum() if y.dim() else y, ins, create_graph=True, allow_unused=True)
        s = sum((g * g).sum() for g in gs if g is not None and g.requires_grad)
        if not torch.is_tensor(s): return "no second"
        s.backward()
        return [i.grad for i in ins]
    return run
two = {"matmul": (lambda a, b: a @ b, (x, w)), "linear": (lambda a, b, d: F.linear(a, b.t(), d), (x, w, bb)), "tanh": (torch.tanh, (x,)), "sigmoid": (torch.sigmoid, (x,)), "relu2": (lambda a: F.relu(a) ** 2, (x,)), "gelu": (F.gelu, (x,)), "gelut": (lambda a: F.gelu(a, approximate="tanh"), (x,)), "silu": (F.silu, (x,)), "softplus": (F.softplus, (x,)), "elu": (F.elu, (x,)), "leaky": (lambda a: F.leaky_relu(a) ** 2, (x,)), "softmax": (lambda a: a.softmax(1) ** 2, (x,)), "lsm": (lambda a: a.log_softmax(1) ** 2, (x,)), "ln": (lambda a: F.layer_norm(a, (40,)) ** 2, (x,)), "ce": (lambda a: F.cross_entropy(a, lab), (x,)), "mse": (lambda a: F.mse_loss(a, a.detach() * 2), (x,)), "bcel": (lambda a: F.binary_cross_entropy_with_logits(a, a.detach()), (x,)), "nrm": (lambda a: a.norm(), (x,)), "nrm1": (lambda a: a.norm(dim=1), (x,)), "exp": (torch.exp, (x,)), "log": (torch.log, (x,)), "sqrt": (torch.sqrt, (x,)), "div": (lambda a, b: a[:, :20] / b[:30, :20], (x, w)), "pow": (lambda a: a ** 3, (x,)), "pow2": (lambda a: a.pow(2.5), (x,)), "sin": (torch.sin, (x,)), "prod": (lambda a: a.prod(1), (x,)), "cumsum": (lambda a: a.cumsum(1) ** 2, (x,)), "var": (lambda a: a.var(1), (x,)), "std": (lambda a: a.std(1), (x,)), "lse": (lambda a: a.logsumexp(1), (x,)), "max": (lambda a: a.max(1)[0] ** 2, (x,)), "index": (lambda a: a[ids] ** 2, (x,)), "emb": (lambda a: F.embedding(ids, a) ** 2, (x,)), "where": (lambda a: torch.where(a > 0, a ** 2, a ** 3), (x,)), "cat": (lambda a: torch.cat([a, a * a]) ** 2, (x,)), "bmm": (lambda a: torch.bmm(a[None], a.t()[None]), (x,)), "einsum": (lambda a, b: torch.einsum("ij,jk->ik", a, b) ** 2, (x, w)), "norm": (lambda a: F.normalize(a, dim=1), (x,)), "cos": (lambda a: F.cosine_similarity(a, a * a), (x,)), "conv": (lambda a, b: F.conv2d(a, b) ** 2, (c, k)), "bn": (lambda a: F.batch_norm(a, None, None, training=True) ** 2, (c,)), "inorm": (lambda a: F.instance_norm(a) ** 2, (c,)), "avg": (lambda a: F.avg_pool2d(a, 2) ** 2, (c,)), "maxp": (lambda a: F.max_pool2d(a, 2) ** 2, (c,)), "interp": (lambda a: F.interpolate(a, scale_factor=2, mode="bilinear") ** 2, (c,)), "pad": (lambda a: F.pad(a, (1, 1)) ** 2, (c,)), "up": (lambda a: F.interpolate(a, scale_factor=2) ** 2, (c,)), "ap": (lambda a: F.adaptive_avg_pool2d(a, 1) ** 2, (c,)), "sdpa": (lambda a: F.scaled_dot_product_attention(a, a, a), (c,)), "drop": (lambda a: F.dropout(a, 0.5) ** 2, (x,)), "rms": (lambda a: F.rms_norm(a, (40,)) ** 2, (x,)), "sl1": (lambda a: F.smooth_l1_loss(a, a.detach() + 1), (x,)), "huber": (lambda a: F.huber_loss(a, a.detach() + 1), (x,)), "kl": (lambda a: F.kl_div(a.log_softmax(1), a.detach().softmax(1), reduction="batchmean"), (x,)), "gather": (lambda a: a.gather(1, lab[:, None]) ** 2, (x,)), "scat": (lambda a: torch.zeros_like(a).scatter_add(1, lab[:, None].expand(30, 40), a) ** 2, (x,)), "sort": (lambda a: a.sort(1)[0] ** 2, (x,)), "topk": (lambda a: a.topk(3, 1)[0] ** 2, (x,)), "clamp": (lambda a: a.clamp(0, 1) ** 2, (x,)), "abs": (lambda a: a.abs() ** 3, (x,)), "atan2": (lambda a: torch.atan2(a, a * 2), (x,)), "lerp": (lambda a: torch.lerp(a, a * a, 0.3) ** 2, (x,)), "addcmul": (lambda a: torch.addcmul(a, a, a) ** 2, (x,)), "dist": (lambda a: torch.cdist(a, a * 2), (x,)), "mish": (F.mish, (x,)), "hsw": (F.hardswish, (x,)), "selu": (F.selu, (x,)), "glu": (lambda a: F.glu(a, 1), (x,)), "prelu": (lambda a, b: F.prelu(a, b[:1]) ** 2, (x, bb)), "lsig": (F.logsigmoid, (x,)), "erf": (torch.erf, (x,)), "recip": (torch.reciprocal, (x,)), "rsqrt": (torch.rsqrt, (x,)), "unfold": (lambda a: a.unfold(1, 3, 2) ** 2, (x,)), "mv": (lambda a, b: b.t() @ a[0], (x, w)), "outer": (lambda a, b: torch.outer(a[0], b), (x, bb)), "addmm": (lambda a, b, d: torch.addmm(d, a, b, beta=2, alpha=3) ** 2, (x, w, bb)), "baddbmm": (lambda a, b: torch.baddbmm(b[None, :30, :30], a[None], b[None, :, :30]) ** 2, (x, w)), "mean": (lambda a: a.mean(1) ** 2, (x,)), "repeat": (lambda a: a.repeat(2, 1) ** 2, (x,)), "stack": (lambda a: torch.stack([a, a * 2]) ** 2, (x,)), "flip": (lambda a: a.flip(0) ** 2, (x,)), "roll": (lambda a: a.roll(1) ** 2, (x,)), "tril": (lambda a: a.tril() ** 2, (x,)), "half": (lambda a: a.half() ** 2, (x,)), "bf": (lambda a, b: a.bfloat16() @ b.bfloat16(), (x, w)), "bce": (lambda a: F.binary_cross_entropy(a.sigmoid(), a.detach()), (x,)), "convt": (lambda a, b: F.conv_transpose2d(a, b.transpose(0, 1).contiguous()) ** 2, (c, k)), "gs": (lambda a: F.gumbel_softmax(a) ** 2, (x,))}
for name, (f, ins) in two.items(): t("2nd " + name, hv(f, *ins))
A = torch.autograd.functional
q = torch.rand(5, 4, device=dev)
for nm, f in {"jac": lambda: A.jacobian(lambda a: a ** 2, q), "jac cg": lambda: A.jacobian(lambda a: (a ** 3).sum(1), q, create_graph=True), "jac2": lambda: A.jacobian(lambda a, b: a * b, (q, q.clone())), "hess": lambda: A.hessian(lambda a: (a ** 3).sum(), q), "vjp": lambda: A.vjp(lambda a: a.exp(), q, torch.ones_like(q)), "jvp": lambda: A.jvp(lambda a: a.exp(), q, torch.ones_like(q)), "vhp": lambda: A.vhp(lambda a: (a ** 3).sum(), q, torch.ones_like(q)), "hvp": lambda: A.hvp(lambda a: (a ** 3).sum(), q, torch.ones_like(q))}.items(): t(nm, f)
