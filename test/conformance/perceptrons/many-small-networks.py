import torch, torch.nn as nn, torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
def part(f):
    torch.manual_seed(0); torch.cuda.reset_peak_memory_stats()
    b = torch.cuda.memory_allocated()
    try: f()
    except Exception as e: print(f.__name__, "!!", type(e).__name__, str(e)[:200])
    print(f.__name__, "left", torch.cuda.memory_allocated() - b)
dev = "cuda"
def train(m, x, y=None, steps=2, opt=None):
    o = (opt or (lambda p: torch.optim.SGD(p, lr=0.1)))(m.parameters())
    for i in range(steps):
        o.zero_grad(); l = m(x).square().mean() if y is None else F.cross_entropy(m(x), y); l.backward(); o.step(); mem(f"step {i}")
class MLP(nn.Module):
    def __init__(s, d, act, norm=None, drop=0.0, n=3):
        super().__init__()
        ls = []
        for i in range(n):
            ls.append(nn.Linear(d, d))
            if norm: ls.append(norm(d))
            ls.append(act())
            if drop: ls.append(nn.Dropout(drop))
        s.net = nn.Sequential(*ls); s.head = nn.Linear(d, 10)
    def forward(s, x): return s.head(s.net(x))
for act in (nn.ReLU, nn.ReLU6, nn.ELU, nn.SELU, nn.CELU, nn.GELU, nn.SiLU, nn.Mish, nn.Softplus, nn.Softsign, nn.Tanh, nn.Sigmoid, nn.LogSigmoid, nn.Hardtanh, nn.Hardswish, nn.Hardsigmoid, nn.LeakyReLU, nn.PReLU, nn.RReLU, nn.Tanhshrink, nn.Softshrink, nn.Hardshrink, lambda: nn.ReLU(inplace=True), lambda: nn.SiLU(inplace=True), lambda: nn.ELU(inplace=True), lambda: nn.LeakyReLU(0.2, inplace=True), lambda: nn.Threshold(0.1, 0), lambda: nn.GELU("tanh"), lambda: nn.Hardswish(inplace=True), lambda: nn.ReLU6(inplace=True), lambda: nn.SELU(inplace=True), lambda: nn.RReLU(inplace=True), lambda: nn.Mish(inplace=True)):
    @part
    def mlp_act():
        m = MLP(96, act).cuda(); x = torch.randn(50, 96, device=dev); mem("b"); y = m(x); mem("f"); y.sum().backward(); mem("bw")
        m.zero_grad(); mem("zg")
for norm in (nn.BatchNorm1d, nn.LayerNorm, lambda d: nn.GroupNorm(4, d), lambda d: nn.RMSNorm(d)):
    @part
    def mlp_norm():
        m = MLP(96, nn.ReLU, norm, 0.1).cuda(); x = torch.randn(50, 96, device=dev); t = torch.randint(0, 10, (50,), device=dev); train(m, x, t); m.eval()
        with torch.no_grad(): m(x); mem("eval")
@part
def moe():
    class Moe(nn.Module):
        def __init__(s, d, n):
            super().__init__(); s.gate = nn.Linear(d, n); s.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d)) for _ in range(n))
        def forward(s, x):
            w = s.gate(x).softmax(-1)
            return sum(w[:, i:i + 1] * e(x) for i, e in enumerate(s.experts))
    m = Moe(64, 4).cuda(); x = torch.randn(40, 64, device=dev); mem("m"); y = m(x); mem("f"); y.mean().backward(); mem("b")
@part
def topk_moe():
    class Moe(nn.Module):
        def __init__(s, d, n, k):
            super().__init__(); s.k = k; s.gate = nn.Linear(d, n, bias=False); s.w1 = nn.Parameter(torch.randn(n, d, 2 * d)); s.w2 = nn.Parameter(torch.randn(n, 2 * d, d))
        def forward(s, x):
            v, i = s.gate(x).topk(s.k, dim=-1); v = v.softmax(-1)
            h = torch.einsum("bd,bkdh->bkh", x, s.w1[i]).relu(); o = torch.einsum("bkh,bkhd->bkd", h, s.w2[i])
            return (o * v.unsqueeze(-1)).sum(1)
    m = Moe(32, 4, 2).cuda(); x = torch.randn(20, 32, device=dev); y = m(x); mem("f"); y.mean().backward(); mem("b")
@part
def highway():
    class H(nn.Module):
        def __init__(s, d): super().__init__(); s.h, s.t = nn.Linear(d, d), nn.Linear(d, d)
        def forward(s, x): t = torch.sigmoid(s.t(x)); return torch.relu(s.h(x)) * t + x * (1 - t)
    m = nn.Sequential(*[H(128) for _ in range(3)]).cuda(); x = torch.randn(64, 128, device=dev); y = m(x); mem("f"); y.sum().backward(); mem("b")
@part
def densenet():
    class D(nn.Module):
        def __init__(s, d, g, n): super().__init__(); s.ls = nn.ModuleList(nn.Linear(d + i * g, g) for i in range(n))
        def forward(s, x):
            for l in s.ls: x = torch.cat([x, F.relu(l(x))], -1)
            return x
    m = D(64, 32, 5).cuda(); x = torch.randn(64, 64, device=dev, requires_grad=True); y = m(x); mem("f"); y.mean().backward(); mem("b")
@part
def autoencoder():
    e = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 32)).cuda(); d = nn.Sequential(nn.Linear(32, 256), nn.ReLU(), nn.Linear(256, 784), nn.Sigmoid()).cuda()
    x = torch.rand(128, 784, device=dev); z = e(x); r = d(z); mem("f"); F.binary_cross_entropy(r, x).backward(); mem("b")
    mu, lv = nn.Linear(32, 16).cuda()(z.detach()), nn.Linear(32, 16).cuda()(z.detach()); s = mu + torch.exp(0.5 * lv) * torch.randn_like(mu); kl = -0.5 * torch.sum(1 + lv - mu.pow(2) - lv.exp()); mem("vae"); (s.sum() + kl).backward(); mem("vae b")
@part
def siamese():
    m = MLP(64, nn.ReLU).cuda(); a, p, n = (torch.randn(32, 64, device=dev) for _ in range(3)); F.triplet_margin_loss(m(a), m(p), m(n)).backward(); mem("triplet"); F.cosine_embedding_loss(m(a), m(p), torch.ones(32, device=dev)).backward(); mem("cos"); d = F.pairwise_distance(m(a), m(p)); d.mean().backward(); mem("pd"); F.cosine_similarity(m(a), m(p)).mean().backward(); mem("cs")
    z = F.normalize(torch.cat([m(a), m(p)]), dim=1); sim = z @ z.t() / 0.1; sim.fill_diagonal_(-1e9) if False else None; mask = torch.eye(64, dtype=torch.bool, device=dev); sim = sim.masked_fill(mask, float("-inf")); F.cross_entropy(sim, torch.arange(64, device=dev).roll(32)).backward(); mem("ntxent")
@part
def teacher():
    t = MLP(64, nn.ReLU).cuda().eval(); s = MLP(64, nn.ReLU, n=1).cuda(); x = torch.randn(32, 64, device=dev)
    with torch.no_grad(): tl = t(x)
    sl = s(x); F.kl_div(F.log_softmax(sl / 2, -1), F.softmax(tl / 2, -1), reduction="batchmean").backward(); mem("kd")
    with torch.no_grad():
        for a, b in zip(t.head.parameters(), s.head.parameters()): a.mul_(0.99).add_(b, alpha=0.01)
    mem("ema")
    with torch.no_grad():
        for a, b in zip(t.head.parameters(), s.head.parameters()): a.copy_(0.99 * a + 0.01 * b); a.lerp_(b, 0.1)
    mem("ema2")
@part
def gan():
    G = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64)).cuda(); D = nn.Sequential(nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1)).cuda(); og = torch.optim.Adam(G.parameters()); od = torch.optim.Adam(D.parameters())
    for i in range(2):
        real = torch.randn(32, 64, device=dev); fake = G(torch.randn(32, 16, device=dev)); od.zero_grad(); ld = F.binary_cross_entropy_with_logits(D(real), torch.ones(32, 1, device=dev)) + F.binary_cross_entropy_with_logits(D(fake.detach()), torch.zeros(32, 1, device=dev)); ld.backward(); od.step(); mem("d"); og.zero_grad(); lg = -D(fake).mean(); lg.backward(); og.step(); mem("g")
    eps = torch.rand(32, 1, device=dev); xi = (eps * real + (1 - eps) * fake.detach()).requires_grad_(); gr = torch.autograd.grad(D(xi).sum(), xi, create_graph=True)[0]; gp = ((gr.norm(2, dim=1) - 1) ** 2).mean(); gp.backward(); mem("gp")
@part
def rl():
    pi = nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 4)).cuda(); obs = torch.randn(256, 8, device=dev); d = torch.distributions.Categorical(logits=pi(obs)); a = d.sample(); lp = d.log_prob(a); mem("lp"); (-(lp * torch.randn(256, device=dev)).mean() - 0.01 * d.entropy().mean()).backward(); mem("b")
    mu = nn.Linear(8, 2).cuda()(obs); n = torch.distributions.Normal(mu, torch.ones_like(mu)); a = n.rsample(); l = n.log_prob(a).sum(-1); mem("normal"); l.mean().backward(); mem("nb")
@part
def fourier():
    B = torch.randn(3, 64, device=dev); x = torch.rand(100, 3, device=dev); p = 2 * torch.pi * x @ B; f = torch.cat([p.sin(), p.cos()], -1); mem("ff"); m = MLP(128, lambda: nn.SiLU()).cuda(); m(f).sum().backward(); mem("b")
    t = torch.arange(100, device=dev).float(); fr = torch.exp(-9.21 * torch.arange(0, 32, device=dev) / 32); e = t[:, None] * fr[None]; e = torch.cat([e.sin(), e.cos()], -1); mem("time emb")
    inv = 1.0 / (10000 ** (torch.arange(0, 32, 2, device=dev).float() / 32)); fq = torch.outer(t, inv); c, s = fq.cos(), fq.sin(); mem("rope")
    pe = torch.zeros(100, 32, device=dev); pos = torch.arange(0, 100, device=dev).unsqueeze(1); div = torch.exp(torch.arange(0, 32, 2, device=dev) * (-9.21 / 32)); pe[:, 0::2] = torch.sin(pos * div); pe[:, 1::2] = torch.cos(pos * div); mem("pe")
@part
def film():
    g = nn.Linear(16, 128).cuda(); x = torch.randn(8, 20, 64, device=dev, requires_grad=True); c = torch.randn(8, 16, device=dev); ga, be = g(c).chunk(2, -1); y = x * (1 + ga[:, None]) + be[:, None]; mem("film"); y.sum().backward(); mem("b")
@part
def lowrank():
    U = nn.Parameter(torch.randn(256, 8, device=dev)); V = nn.Parameter(torch.randn(8, 256, device=dev)); x = torch.randn(64, 256, device=dev); y = x @ (U @ V); mem("uv first"); y.sum().backward(); mem("b"); U.grad = V.grad = None; y = (x @ U) @ V; mem("x first"); y.sum().backward(); mem("b"); W = torch.randn(256, 256, device=dev); y = F.linear(x, W) + F.linear(F.linear(x, V), U) * 2; mem("lora"); y.sum().backward(); mem("b")
