"""Adapters by hand: LoRA, DoRA, IA3, prefix tuning, BitFit; offload of activations to the CPU; checkpointing; hooks."""
import contextlib
import functools
import math
from typing import Dict, List

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

dev = "cuda"


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r=4, alpha=8, dropout=0.05, dora=False):
        super().__init__()
        self.base, self.scaling = base, alpha / r
        for p in self.base.parameters():
            p.requires_grad = False
        self.lora_A = nn.Parameter(base.weight.new_empty(r, base.in_features))
        self.lora_B = nn.Parameter(base.weight.new_zeros(base.out_features, r))
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))
        self.dropout = nn.Dropout(dropout) if dropout > 0 else nn.Identity()
        self.m = nn.Parameter(base.weight.norm(p=2, dim=1, keepdim=True)) if dora else None
        self.merged = False

    def forward(self, x):
        if self.m is not None:
            w = self.base.weight + self.scaling * (self.lora_B @ self.lora_A)
            return F.linear(x, self.m * (w / w.norm(p=2, dim=1, keepdim=True).detach()), self.base.bias)
        y = self.base(x)
        if not self.merged:
            y = y + (self.dropout(x) @ self.lora_A.T @ self.lora_B.T) * self.scaling
        return y

    @torch.no_grad()
    def merge(self):
        self.base.weight.data += self.scaling * (self.lora_B @ self.lora_A)
        self.merged = True


class IA3(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base
        self.l = nn.Parameter(torch.ones(base.out_features, device=base.weight.device))

    def forward(self, x):
        return self.base(x) * self.l


class Block(nn.Module):
    def __init__(self, d=64, h=4, prefix=0):
        super().__init__()
        self.h = h
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(d, d) for _ in range(4))
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.prefix = nn.Parameter(torch.randn(2, prefix, d)) if prefix else None

    def forward(self, x):
        B, T, C = x.shape
        h = self.n1(x)
        q, k, v = self.q_proj(h), self.k_proj(h), self.v_proj(h)
        if self.prefix is not None:
            pk, pv = self.prefix.unsqueeze(1).expand(-1, B, -1, -1).unbind(0)
            k, v = torch.cat([pk, k], 1), torch.cat([pv, v], 1)
        q, k, v = (t.view(B, -1, self.h, C // self.h).transpose(1, 2) for t in (q, k, v))
        x = x + self.o_proj(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, C))
        return x + self.down(F.gelu(self.up(self.n2(x))))


def make(n=3, **kw):
    return nn.Sequential(*[Block(**kw) for _ in range(n)]).to(dev)


def replace(model, names, wrap):
    for name, module in list(model.named_modules()):
        if isinstance(module, nn.Linear) and name.split(".")[-1] in names:
            parent = model.get_submodule(name.rsplit(".", 1)[0])
            setattr(parent, name.rsplit(".", 1)[-1], wrap(module))
    return model


def count(model):
    t = sum(p.numel() for p in model.parameters() if p.requires_grad)
    n = sum(p.numel() for p in model.parameters())
    return f"trainable params: {t:,} || all params: {n:,} || trainable%: {100 * t / n:.4f}"


def train(tag, model, run=None, steps=2, lr=1e-4):
    params = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.AdamW(params, lr=lr)
    for _ in range(steps):
        x = torch.randn(4, 16, 64, device=dev)
        y = (run or model)(x)
        mem(tag + " forward")
        y.pow(2).mean().backward()
        opt.step()
        opt.zero_grad()
        mem(tag + " step")


base = make()
base.requires_grad_(False)
lora = replace(base, {"q_proj", "v_proj"}, lambda m: LoRALinear(m).to(dev))
print(count(lora))
train("lora", lora)
for m in lora.modules():
    if isinstance(m, LoRALinear):
        m.merge()
mem("merged")
print(len({k: v for k, v in lora.state_dict().items() if "lora_" in k}))
del base, lora, m
dora = make(2).requires_grad_(False)
dora = replace(dora, {"o_proj"}, functools.partial(LoRALinear, dora=True))
train("dora", dora)
del dora
ia3 = replace(make(2).requires_grad_(False), {"k_proj", "up"}, IA3)
train("ia3", ia3)
del ia3
prefix = make(2, prefix=5)
for n, p in prefix.named_parameters():
    p.requires_grad = n.endswith("prefix")
train("prefix", prefix)
del prefix, n, p
bitfit = make(2)
for n, p in bitfit.named_parameters():
    p.requires_grad_("bias" in n)
print(count(bitfit))
train("bitfit", bitfit)
del bitfit, n, p

full = make(4)
train("ckpt", full, lambda x: functools.reduce(lambda h, b: checkpoint(b, h, use_reentrant=False), full, x), steps=1)
train("ckpt seq", full, lambda x: checkpoint_sequential(full, 2, x.requires_grad_(), use_reentrant=False), steps=1)


class Offload(torch.autograd.graph.saved_tensors_hooks):
    """Big activations go to the CPU and come back."""

    def __init__(self, at_least=4096):
        def pack(t):
            if t.numel() * t.element_size() < at_least or isinstance(t, nn.Parameter):
                return t
            return (t.device, t.to("cpu"))

        def unpack(p):
            return p if isinstance(p, torch.Tensor) else p[1].to(p[0])

        super().__init__(pack, unpack)


def offloaded(x):
    with Offload():
        return full(x)


train("offload", full, offloaded, steps=1)
sizes: Dict[str, List[int]] = {}
handles = []
for name, module in full.named_children():
    handles.append(module.register_forward_hook(lambda m, i, o, name=name: sizes.setdefault(name, []).append(o.numel() * o.element_size())))
    handles.append(module.register_full_backward_hook(lambda m, gi, go: None))
train("hooks", full, steps=1)
for h in handles:
    h.remove()
print(sizes)
torch.cuda.empty_cache()
# step in backward: each gradient dies as soon as it was used
optims = {p: torch.optim.SGD([p], lr=1e-3) for p in full.parameters()}


def hook(p):
    optims[p].step()
    optims[p].zero_grad()


for p in full.parameters():
    p.register_post_accumulate_grad_hook(hook)
full(torch.randn(4, 16, 64, device=dev)).mean().backward()
mem("fused backward")
teacher = make(2).eval()
with torch.no_grad():
    soft = teacher(torch.randn(4, 16, 64, device=dev))
student = make(1).to(dtype=torch.bfloat16)
out = student(torch.randn(4, 16, 64, device=dev, dtype=torch.bfloat16))
T = 2.0
kd = nn.KLDivLoss(reduction="batchmean")(F.log_softmax(out / T, dim=-1), F.softmax(soft / T, dim=-1)) * (T * T)
mem("distill")
kd.backward()
mem("distilled")
