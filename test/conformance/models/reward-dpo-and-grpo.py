"""Reward model, DPO, GRPO, KL-penalised PPO objective, beam search and speculative decoding on a toy LM."""
import copy
import math
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple, Union

import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cuda"


@dataclass
class Config:
    vocab: int = 96
    dim: int = 48
    layers: int = 2
    heads: int = 4
    betas: Tuple[float, float] = (0.9, 0.95)
    targets: List[str] = field(default_factory=lambda: ["qkv", "proj"])


def alibi(n_heads, T, device):
    slopes = torch.tensor([2 ** (-8 * (i + 1) / n_heads) for i in range(n_heads)], device=device)
    pos = torch.arange(T, device=device)
    return slopes[:, None, None] * (pos[None, :] - pos[:, None])[None].clamp(max=0)


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(c.dim), nn.LayerNorm(c.dim)
        self.qkv, self.proj = nn.Linear(c.dim, 3 * c.dim), nn.Linear(c.dim, c.dim)
        self.mlp = nn.Sequential(nn.Linear(c.dim, 4 * c.dim), nn.GELU(approximate="tanh"), nn.Linear(4 * c.dim, c.dim))
        self.h = c.heads

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.qkv(self.n1(x)).chunk(3, -1))
        att = torch.baddbmm(alibi(self.h, T, x.device).repeat(B, 1, 1), q.reshape(-1, T, C // self.h), k.reshape(-1, T, C // self.h).transpose(1, 2), alpha=1 / math.sqrt(C // self.h))
        att = att.view(B, self.h, T, T).masked_fill(torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1), torch.finfo(x.dtype).min)
        x = x + self.proj((att.softmax(-1) @ v).transpose(1, 2).flatten(2))
        return x + self.mlp(self.n2(x))


class LM(nn.Module):
    def __init__(self, c: Config):
        super().__init__()
        self.emb = nn.Embedding(c.vocab, c.dim)
        self.layers = nn.ModuleList(Layer(c) for _ in range(c.layers))
        self.norm = nn.LayerNorm(c.dim)

    def forward(self, ids, hidden=False):
        x = self.emb(ids)
        for layer in self.layers:
            x = layer(x)
        x = self.norm(x)
        return x if hidden else x @ self.emb.weight.T


class RewardModel(nn.Module):
    def __init__(self, lm):
        super().__init__()
        self.lm, self.head = lm, nn.Linear(48, 1, bias=False)

    def forward(self, ids, lengths):
        r = self.head(self.lm(ids, hidden=True)).squeeze(-1)
        return r[torch.arange(ids.size(0), device=ids.device), lengths - 1]


def mem(tag):
    print(f"{tag}: {torch.cuda.memory_allocated()} {torch.cuda.max_memory_allocated()}")


def logprobs_of(logits, labels, mask):
    logits, labels, mask = logits[:, :-1], labels[:, 1:].clone(), mask[:, 1:]
    labels[~mask.bool()] = 0
    per_token = torch.gather(logits.log_softmax(-1), dim=2, index=labels.unsqueeze(2)).squeeze(2)
    return (per_token * mask).sum(-1)


def dpo_loss(pc, pr, rc, rr, beta=0.1, label_smoothing=0.1, reference_free=False):
    pi_logratios, ref_logratios = pc - pr, rc - rr
    logits = pi_logratios - (0 if reference_free else ref_logratios)
    losses = -F.logsigmoid(beta * logits) * (1 - label_smoothing) - F.logsigmoid(-beta * logits) * label_smoothing
    return losses, beta * (pc - rc).detach(), beta * (pr - rr).detach()


cfg = Config()
policy = LM(cfg).to(device)
ref = copy.deepcopy(policy)
for p in ref.parameters():
    p.requires_grad = False
mem("policy and reference")
opt = torch.optim.RMSprop(policy.parameters(), lr=5e-7)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_lambda=lambda s: min(1.0, (s + 1) / 151))
for step in range(2):
    chosen, rejected = torch.randint(0, 96, (3, 20), device=device), torch.randint(0, 96, (3, 20), device=device)
    mask = (torch.arange(20)[None] >= torch.tensor([5, 6, 7])[:, None]).float().to(device)
    both, m2 = torch.cat((chosen, rejected), 0), torch.cat((mask, mask), 0)
    lp = logprobs_of(policy(both), both, m2)
    with torch.no_grad():
        rp = logprobs_of(ref(both), both, m2)
    losses, cr, rr = dpo_loss(*lp.split(3), *rp.split(3))
    acc = (cr > rr).float()
    mem("dpo forward")
    losses.mean().backward()
    norm = nn.utils.clip_grad_norm_(policy.parameters(), max_norm=10.0)
    opt.step(); sched.step(); opt.zero_grad()
    mem("dpo step")

rm = RewardModel(copy.deepcopy(policy)).to(device)
lengths = torch.tensor([20, 12, 7], device=device)
loss = -F.logsigmoid(rm(chosen, lengths) - rm(rejected, lengths)).mean()
loss.backward()
mem("reward model")
rm.zero_grad(); del loss

# group-relative policy optimisation
G, P, N = 4, 6, 8
prompts = torch.randint(0, 96, (2, P), device=device).repeat_interleave(G, dim=0)
with torch.no_grad():
    seq = prompts
    for _ in range(N):
        logits = policy(seq)[:, -1] / 0.7
        sorted_logits, sorted_idx = torch.sort(logits, descending=True)
        remove = sorted_logits.softmax(-1).cumsum(-1) > 0.9
        remove[..., 1:] = remove[..., :-1].clone()
        remove[..., 0] = 0
        logits = logits.masked_fill(remove.scatter(1, sorted_idx, remove), -float("inf"))
        seq = torch.cat([seq, torch.multinomial(F.softmax(logits, -1), 1)], -1)
    rewards = rm(seq, torch.full((2 * G,), P + N, device=device))
    old = torch.gather(policy(seq)[:, :-1].log_softmax(-1), 2, seq[:, 1:, None]).squeeze(-1)[:, P - 1:]
    refl = torch.gather(ref(seq)[:, :-1].log_softmax(-1), 2, seq[:, 1:, None]).squeeze(-1)[:, P - 1:]
    grouped = rewards.view(-1, G)
    adv = ((grouped - grouped.mean(1, keepdim=True)) / (grouped.std(1, keepdim=True) + 1e-4)).flatten()
mem("rollouts")
done = (seq[:, P:] == 2)
eos = torch.full((done.size(0),), done.size(1), dtype=torch.long, device=device)
mask = (torch.arange(N, device=device).expand(2 * G, -1) <= eos.unsqueeze(1)).int()
new = torch.gather(policy(seq)[:, :-1].log_softmax(-1), 2, seq[:, 1:, None]).squeeze(-1)[:, P - 1:]
kl = torch.exp(refl - new) - (refl - new) - 1
ratio = torch.exp(new - old)
obj = torch.min(ratio * adv[:, None], ratio.clamp(0.8, 1.2) * adv[:, None])
loss = (-(obj - 0.04 * kl) * mask).sum(1).div(mask.sum(1)).mean()
mem("grpo forward")
loss.backward()
mem("grpo backward")
policy.zero_grad(set_to_none=True)


@torch.inference_mode()
def beam_search(model, ids, beams=3, steps=4):
    V = cfg.vocab
    ids = ids.expand(beams, -1)
    scores = torch.full((beams,), -1e9, device=device)
    scores[0] = 0
    for _ in range(steps):
        logp = model(ids)[:, -1].log_softmax(-1) + scores[:, None]
        scores, flat = logp.view(-1).topk(beams)
        ids = torch.cat([ids[flat // V], (flat % V)[:, None]], -1)
    return ids[scores.argmax()].unsqueeze(0)


print(beam_search(policy, prompts[:1]).shape)
mem("beams")


@torch.no_grad()
def speculative(target, draft, ids, gamma=3, rounds=2):
    for _ in range(rounds):
        n, x, q = ids.size(1), ids, []
        for _ in range(gamma):
            p = draft(x)[:, -1].softmax(-1)
            q.append(p)
            x = torch.cat([x, torch.multinomial(p, 1)], 1)
        p = target(x)[:, n - 1:].softmax(-1)
        ratio = torch.stack([p[:, i].gather(-1, x[:, n + i, None]) / q[i].gather(-1, x[:, n + i, None]) for i in range(gamma)])
        accept = (torch.rand_like(ratio) < ratio).squeeze(-1).squeeze(-1).long().cumprod(0)
        residual = F.relu(p[:, 0] - q[0])
        residual = residual / residual.sum(-1, keepdim=True).clamp_min(1e-9)
        ids = torch.cat([x, torch.multinomial(residual + 1e-6, 1)], 1)
    return ids


print(speculative(policy, ref, prompts[:1]).shape)
mem("speculative")
