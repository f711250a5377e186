"""DDPM on a small U-Net: time embedding, residual blocks, attention, EMA, sampling loop and DDIM."""
import copy
import math
from inspect import isfunction

import torch
import torch.nn.functional as F
from torch import einsum, nn


def exists(x):
    return x is not None


def default(val, d):
    return val if exists(val) else (d() if isfunction(d) else d)


class Residual(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x, *args, **kwargs):
        return self.fn(x, *args, **kwargs) + x


def Upsample(dim, dim_out=None):
    return nn.Sequential(nn.Upsample(scale_factor=2, mode="nearest"), nn.Conv2d(dim, default(dim_out, dim), 3, padding=1))


def Downsample(dim, dim_out=None):
    return nn.Conv2d(dim, default(dim_out, dim), 4, 2, 1)


class SinusoidalPositionEmbeddings(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, time):
        half = self.dim // 2
        emb = math.log(10000) / (half - 1)
        emb = torch.exp(torch.arange(half, device=time.device) * -emb)
        emb = time[:, None] * emb[None, :]
        return torch.cat((emb.sin(), emb.cos()), dim=-1)


class WeightStandardizedConv2d(nn.Conv2d):
    def forward(self, x):
        eps = 1e-5 if x.dtype == torch.float32 else 1e-3
        weight = self.weight
        mean = weight.mean(dim=(1, 2, 3), keepdim=True)
        var = weight.var(dim=(1, 2, 3), keepdim=True, unbiased=False)
        return F.conv2d(x, (weight - mean) * (var + eps).rsqrt(), self.bias, self.stride, self.padding, self.dilation, self.groups)


class Block(nn.Module):
    def __init__(self, dim, dim_out, groups=4):
        super().__init__()
        self.proj = WeightStandardizedConv2d(dim, dim_out, 3, padding=1)
        self.norm = nn.GroupNorm(groups, dim_out)
        self.act = nn.SiLU()

    def forward(self, x, scale_shift=None):
        x = self.norm(self.proj(x))
        if exists(scale_shift):
            scale, shift = scale_shift
            x = x * (scale + 1) + shift
        return self.act(x)


class ResnetBlock(nn.Module):
    def __init__(self, dim, dim_out, *, time_emb_dim=None, groups=4):
        super().__init__()
        self.mlp = nn.Sequential(nn.SiLU(), nn.Linear(time_emb_dim, dim_out * 2)) if exists(time_emb_dim) else None
        self.block1, self.block2 = Block(dim, dim_out, groups), Block(dim_out, dim_out, groups)
        self.res_conv = nn.Conv2d(dim, dim_out, 1) if dim != dim_out else nn.Identity()

    def forward(self, x, time_emb=None):
        scale_shift = None
        if exists(self.mlp) and exists(time_emb):
            scale_shift = self.mlp(time_emb)[:, :, None, None].chunk(2, dim=1)
        return self.block2(self.block1(x, scale_shift=scale_shift)) + self.res_conv(x)


class LinearAttention(nn.Module):
    def __init__(self, dim, heads=2, dim_head=8):
        super().__init__()
        self.scale, self.heads = dim_head**-0.5, heads
        self.to_qkv = nn.Conv2d(dim, dim_head * heads * 3, 1, bias=False)
        self.to_out = nn.Sequential(nn.Conv2d(dim_head * heads, dim, 1), nn.GroupNorm(1, dim))

    def forward(self, x):
        b, c, h, w = x.shape
        q, k, v = (t.reshape(b, self.heads, -1, h * w) for t in self.to_qkv(x).chunk(3, dim=1))
        q, k = q.softmax(dim=-2) * self.scale, k.softmax(dim=-1)
        context = torch.einsum("b h d n, b h e n -> b h d e", k, v)
        out = torch.einsum("b h d e, b h d n -> b h e n", context, q)
        return self.to_out(out.reshape(b, -1, h, w))


class Attention(LinearAttention):
    def forward(self, x):
        b, c, h, w = x.shape
        q, k, v = (t.reshape(b, self.heads, -1, h * w) for t in self.to_qkv(x).chunk(3, dim=1))
        sim = einsum("b h d i, b h d j -> b h i j", q * self.scale, k)
        sim = sim - sim.amax(dim=-1, keepdim=True).detach()
        out = einsum("b h i j, b h d j -> b h i d", sim.softmax(dim=-1), v)
        return self.to_out(out.permute(0, 1, 3, 2).reshape(b, -1, h, w))


class PreNorm(nn.Module):
    def __init__(self, dim, fn):
        super().__init__()
        self.fn, self.norm = fn, nn.GroupNorm(1, dim)

    def forward(self, x):
        return self.fn(self.norm(x))


class Unet(nn.Module):
    def __init__(self, dim=16, mults=(1, 2), channels=3):
        super().__init__()
        dims = [dim, *map(lambda m: dim * m, mults)]
        in_out = list(zip(dims[:-1], dims[1:]))
        time_dim = dim * 4
        self.init_conv = nn.Conv2d(channels, dim, 1)
        self.time_mlp = nn.Sequential(SinusoidalPositionEmbeddings(dim), nn.Linear(dim, time_dim), nn.GELU(), nn.Linear(time_dim, time_dim))
        self.downs, self.ups = nn.ModuleList([]), nn.ModuleList([])
        for ind, (i, o) in enumerate(in_out):
            last = ind >= len(in_out) - 1
            self.downs.append(nn.ModuleList([
                ResnetBlock(i, i, time_emb_dim=time_dim), Residual(PreNorm(i, LinearAttention(i))),
                Downsample(i, o) if not last else nn.Conv2d(i, o, 3, padding=1)]))
        mid = dims[-1]
        self.mid_block1 = ResnetBlock(mid, mid, time_emb_dim=time_dim)
        self.mid_attn = Residual(PreNorm(mid, Attention(mid)))
        for ind, (i, o) in enumerate(reversed(in_out)):
            last = ind == len(in_out) - 1
            self.ups.append(nn.ModuleList([
                ResnetBlock(o + i, o, time_emb_dim=time_dim), Upsample(o, i) if not last else nn.Conv2d(o, i, 3, padding=1)]))
        self.final_res_block = ResnetBlock(dim * 2, dim, time_emb_dim=time_dim)
        self.final_conv = nn.Conv2d(dim, channels, 1)

    def forward(self, x, time):
        x = self.init_conv(x)
        r = x.clone()
        t = self.time_mlp(time)
        h = []
        for block, attn, down in self.downs:
            x = attn(block(x, t))
            h.append(x)
            x = down(x)
        x = self.mid_attn(self.mid_block1(x, t))
        for block, up in self.ups:
            x = torch.cat((x, h.pop()), dim=1)
            x = up(block(x, t))
        return self.final_conv(self.final_res_block(torch.cat((x, r), dim=1), t))


def cosine_beta_schedule(timesteps, s=0.008):
    x = torch.linspace(0, timesteps, timesteps + 1)
    alphas_cumprod = torch.cos(((x / timesteps) + s) / (1 + s) * torch.pi * 0.5) ** 2
    alphas_cumprod = alphas_cumprod / alphas_cumprod[0]
    return torch.clip(1 - (alphas_cumprod[1:] / alphas_cumprod[:-1]), 0.0001, 0.9999)


timesteps = 20
betas = cosine_beta_schedule(timesteps)
alphas = 1.0 - betas
alphas_cumprod = torch.cumprod(alphas, axis=0)
alphas_cumprod_prev = F.pad(alphas_cumprod[:-1], (1, 0), value=1.0)
sqrt_recip_alphas = torch.sqrt(1.0 / alphas)
posterior_variance = betas * (1.0 - alphas_cumprod_prev) / (1.0 - alphas_cumprod)


def extract(a, t, x_shape):
    out = a.to(t.device).gather(-1, t)
    return out.reshape(t.shape[0], *((1,) * (len(x_shape) - 1))).to(t.device)


def q_sample(x_start, t, noise=None):
    noise = default(noise, lambda: torch.randn_like(x_start))
    return extract(alphas_cumprod.sqrt(), t, x_start.shape) * x_start + extract((1 - alphas_cumprod).sqrt(), t, x_start.shape) * noise


@torch.no_grad()
def p_sample(model, x, t, t_index):
    mean = extract(sqrt_recip_alphas, t, x.shape) * (
        x - extract(betas, t, x.shape) * model(x, t) / extract((1 - alphas_cumprod).sqrt(), t, x.shape))
    return mean if t_index == 0 else mean + torch.sqrt(extract(posterior_variance, t, x.shape)) * torch.randn_like(x)


class EMA:
    def __init__(self, beta):
        self.beta, self.step = beta, 0

    def step_ema(self, ema_model, model):
        for cur, ma in zip(model.parameters(), ema_model.parameters()):
            ma.data = ma.data * self.beta + (1 - self.beta) * cur.data


def mem(tag):
    print(f"{tag:12s}{torch.cuda.memory_allocated():>12,}{torch.cuda.max_memory_allocated():>12,}")


device = "cuda"
print([round(b, 4) for b in betas[:3].tolist()], f"{alphas_cumprod[-1]:.5f}")
model = Unet().to(device)
ema_model = Unet().to(device).eval().requires_grad_(False)
ema_model.load_state_dict(model.state_dict())
ema = EMA(0.995)
mem("model")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(2):
    batch = torch.randn(2, 3, 16, 16).to(device)
    t = torch.randint(0, timesteps, (2,), device=device).long()
    noise = torch.randn_like(batch)
    loss = F.smooth_l1_loss(noise, model(q_sample(batch, t, noise), t))
    mem("forward")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ema.step_ema(ema_model, model)
    mem("step")
img = torch.randn(2, 3, 16, 16, device=device)
imgs = []
for i in reversed(range(0, 4)):
    img = p_sample(ema_model, img, torch.full((2,), i, device=device, dtype=torch.long), i)
    imgs.append(img.cpu())
mem("sampled")
print(len(imgs), ((img.clamp(-1, 1) + 1) / 2 * 255).type(torch.uint8).shape)
