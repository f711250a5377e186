import torch
import torch.nn.functional as F
x = torch.rand(16, 24, device="cuda") + 0.5
h = (torch.rand(16, 24, device="cuda") * 0.5 + 0.1).half()
b = h.bfloat16()
i = torch.randint(0, 24, (16,), device="cuda")
img = torch.rand(2, 3, 8, 8, device="cuda").half()
base = torch.cuda.memory_allocated()
def show(name, f):
    torch.cuda.reset_peak_memory_stats()
    try:
        y = f()
    except Exception as e:
        print(name, type(e).__name__); return
    y = y[0] if isinstance(y, (tuple, list)) else y
    print(name, y.dtype, tuple(y.shape), torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated() - base)
with torch.no_grad(), torch.autocast("cuda", dtype=torch.float16):
    for name in "acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan sqrt sin tanh sigmoid abs neg square erf relu digamma lgamma frac".split():
        show(name, lambda: getattr(torch, name)(h))
        show(name + " bf16", lambda: getattr(torch, name)(b))
    for name in "softplus gelu silu mish elu leaky_relu hardswish softsign logsigmoid celu selu relu6 hardtanh glu softmin log_softmax softmax normalize".split():
        show(name, lambda: getattr(F, name)(h, **({"dim": -1} if name in ("softmin", "log_softmax", "softmax", "normalize", "glu") else {})))
    show("pow", lambda: h ** 2.0)
    show("pow t", lambda: torch.pow(h, h))
    show("rpow", lambda: 2.0 ** h)
    show("logsumexp", lambda: torch.logsumexp(h, -1))
    show("sum", lambda: h.sum(-1)); show("sum b", lambda: b.sum()); show("sum f", lambda: x.sum())
    show("nansum", lambda: torch.nansum(h))
    show("mean", lambda: h.mean(-1)); show("var", lambda: h.var(-1)); show("std", lambda: h.std())
    show("prod", lambda: h.prod(-1)); show("cumsum", lambda: h.cumsum(-1)); show("cumprod", lambda: h.cumprod(-1))
    show("norm", lambda: h.norm()); show("norm1", lambda: h.norm(p=1, dim=-1)); show("vector_norm", lambda: torch.linalg.vector_norm(h, dim=-1))
    show("dist", lambda: torch.dist(h, h)); show("cosine", lambda: F.cosine_similarity(h, h))
    show("mse", lambda: F.mse_loss(h, h)); show("mse none", lambda: F.mse_loss(h, x, reduction="none")); show("l1", lambda: F.l1_loss(h, h))
    show("huber", lambda: F.huber_loss(h, x)); show("smooth", lambda: F.smooth_l1_loss(h, x)); show("kl", lambda: F.kl_div(h, x, reduction="sum"))
    show("bcel", lambda: F.binary_cross_entropy_with_logits(h, h))
    show("nll", lambda: F.nll_loss(h, i)); show("ce", lambda: F.cross_entropy(h, i)); show("poisson", lambda: F.poisson_nll_loss(h, h))
    show("hinge", lambda: F.hinge_embedding_loss(h, h)); show("soft margin", lambda: F.soft_margin_loss(h, h)); show("triplet", lambda: F.triplet_margin_loss(h, h, h))
    show("margin", lambda: F.margin_ranking_loss(h, h, h)); show("cos emb", lambda: F.cosine_embedding_loss(h, h, h[:, 0].float()))
    show("layer_norm", lambda: F.layer_norm(h, (24,))); show("group_norm", lambda: F.group_norm(img, 3)); show("instance", lambda: F.instance_norm(img)); show("batch", lambda: F.batch_norm(img, None, None, training=True))
    show("rms", lambda: F.rms_norm(h, (24,))); show("local", lambda: F.local_response_norm(img, 2))
    show("interp", lambda: F.interpolate(img, scale_factor=2)); show("bilinear", lambda: F.interpolate(img, scale_factor=2, mode="bilinear")); show("avg", lambda: F.avg_pool2d(img, 2)); show("adaptive", lambda: F.adaptive_avg_pool2d(img, 2)); show("max", lambda: F.max_pool2d(img, 2))
    show("mm", lambda: x @ x.t()); show("mv", lambda: x @ x[0]); show("bmm", lambda: torch.bmm(x.view(2, 8, 24), x.view(2, 24, 8))); show("dot", lambda: torch.dot(h[0], x[0])); show("outer", lambda: torch.outer(x[0], x[1])); show("einsum", lambda: torch.einsum("ij,kj->ik", x, b.float()))
    show("addmm", lambda: torch.addmm(x[:, :16], x, x.t())); show("baddbmm", lambda: torch.baddbmm(x.view(2, 8, 24)[:, :, :8], x.view(2, 8, 24), x.view(2, 24, 8))); show("addmv", lambda: torch.addmv(x[:, 0], x, x[0])); show("linear", lambda: F.linear(x, x)); show("bilinear", lambda: F.bilinear(x, x, torch.rand(3, 24, 24, device="cuda")))
    show("conv1d", lambda: F.conv1d(x.view(1, 16, 24), x.view(8, 16, 3))); show("conv2d", lambda: F.conv2d(img.float(), torch.rand(4, 3, 3, 3, device="cuda"))); show("convT", lambda: F.conv_transpose2d(img, torch.rand(3, 4, 2, 2, device="cuda"))); show("prelu", lambda: F.prelu(x, x[0, :1]))
    show("cat", lambda: torch.cat([h, x])); show("stack", lambda: torch.stack([h, x])); show("where", lambda: torch.where(x > 1, h, x)); show("add", lambda: h + x); show("addcmul", lambda: torch.addcmul(h, x, h)); show("addcdiv", lambda: torch.addcdiv(h, x, h)); show("atan2", lambda: torch.atan2(h, x)); show("lerp", lambda: torch.lerp(h, h, 0.5))
    show("matmul 4", lambda: torch.matmul(x.view(2, 2, 4, 24), x.view(2, 2, 24, 4))); show("sdpa", lambda: F.scaled_dot_product_attention(x.view(2, 2, 4, 24), x.view(2, 2, 4, 24), x.view(2, 2, 4, 24)))
    show("scatter_add", lambda: torch.zeros(16, 24, device="cuda").scatter_add(0, i.view(16, 1) % 16, h)); show("index_put", lambda: torch.index_put(x, (i[:3] % 16,), h[:3]))
    show("masked_fill", lambda: h.masked_fill(x > 1, 0.0)); show("embedding", lambda: F.embedding(i % 16, h)); show("dropout", lambda: F.dropout(h, 0.3)); show("topk", lambda: h.topk(3)); show("max", lambda: h.max()); show("amax", lambda: h.amax(-1)); show("argmax", lambda: h.argmax(-1))
    show("tensordot", lambda: torch.tensordot(h, x, dims=([1], [1]))); show("cdist", lambda: torch.cdist(h, h)); show("cross", lambda: torch.linalg.cross(h[:, :3], x[:, :3])); show("vdot", lambda: torch.vdot(h[0], h[1]))
    show("grid", lambda: F.grid_sample(img, torch.zeros(2, 4, 4, 2, device="cuda"), align_corners=False)); show("pairwise", lambda: F.pairwise_distance(h, h)); show("multi_dot", lambda: torch.linalg.multi_dot([x, x.t(), x])); show("chain", lambda: torch.chain_matmul(x, x.t(), x) if hasattr(torch, "chain_matmul") else x)
    show("float * half", lambda: (x @ x.t()) * x[:, :16]); show("pixel", lambda: F.pixel_shuffle(torch.rand(1, 4, 2, 2, device="cuda").half(), 2)); show("pad", lambda: F.pad(h, (1, 1))); show("unfold", lambda: F.unfold(img, 2))
