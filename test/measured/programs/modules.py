"""Single modules, as a kernel library's benchmark measures them: the peak of a call that is repeated ten times, the median.

usage: modules.py KIND MODE SIZE...
MODE: full (forward and backward), forward, backward (the graph is kept). Leaf gradients exist from the second call on.
"""

import statistics
import sys

import torch
from torch import nn
from torch.nn import functional as F

BF16 = torch.bfloat16


def peak(call):
    found = []
    for _ in range(10):
        torch.cuda.reset_peak_memory_stats()
        call()
        found.append(torch.cuda.max_memory_allocated())
    return int(statistics.median(found))


def take_both_workspaces():
    """The benchmark's process has multiplied in both directions before it measures."""
    leaf = torch.ones(8, 8, device="cuda", requires_grad=True)
    (leaf @ leaf).sum().backward()


def by_mode(mode, forward, upstream):
    if mode == "forward":
        take_both_workspaces()
        return peak(forward)
    if mode == "full":
        def full():
            y = forward()
            y.backward(upstream(y), retain_graph=True)
        return peak(full)
    y = forward()
    g = upstream(y)
    return peak(lambda: y.backward(g, retain_graph=True))


def cross_entropy(mode, vocabulary):
    scores = torch.randn(8 * 2048, vocabulary, device="cuda", requires_grad=True)
    target = torch.randint(vocabulary, (8 * 2048, 1), device="cuda").squeeze(1)
    criterion = nn.CrossEntropyLoss()

    def step():
        criterion(scores, target).backward()

    return peak(step)


def kl_div(mode, vocabulary):
    rows = 8 * 2048
    student = torch.randn(rows, vocabulary, device="cuda", requires_grad=True)
    logs = student.log_softmax(-1)
    teacher = torch.randn(rows, vocabulary, device="cuda").softmax(-1)
    criterion = nn.KLDivLoss(reduction="batchmean")
    return peak(lambda: criterion(logs, teacher).backward(retain_graph=True))


def total_variation(mode, vocabulary):
    rows = 8 * 2048
    student = torch.randn(rows, vocabulary, device="cuda", requires_grad=True)
    p = student.softmax(-1)
    q = torch.randn(rows, vocabulary, device="cuda").softmax(-1)
    return peak(lambda: (torch.sum(torch.abs(p - q) / 2.0) / rows).backward(retain_graph=True))


def jensen_shannon(mode, vocabulary):
    rows = 4 * 2048
    raw = torch.randn(rows, vocabulary, device="cuda", requires_grad=True)
    student = raw.log_softmax(-1)
    teacher = torch.randn(rows, vocabulary, device="cuda").log_softmax(-1)
    divergence = nn.KLDivLoss(reduction="none", log_target=True)

    def forward():
        log_q, log_p = student.to(torch.float32), teacher.to(torch.float32)
        log_q, log_p = log_q.view(-1, vocabulary), log_p.view(-1, vocabulary)
        middle = torch.lerp(torch.exp(log_q), torch.exp(log_p), 0.5)
        loss = 0.5 * divergence(torch.log(middle), log_p).sum(-1) + 0.5 * divergence(torch.log(middle), log_q).sum(-1)
        return (loss / log_q.shape[0]).sum()

    return peak(lambda: forward().backward(retain_graph=True))


def layer_norm(mode, width):
    norm, unused = (nn.LayerNorm(width, eps=1e-6).to("cuda") for _ in range(2))
    x = torch.randn(4096, width, device="cuda", requires_grad=True)
    upstream = torch.randn_like(x)
    return peak(lambda: norm(x).backward(upstream, retain_graph=True))


class Gated(nn.Module):
    def __init__(self, hidden, inner, act):
        super().__init__()
        self.gate_proj = nn.Linear(hidden, inner, bias=False)
        self.up_proj = nn.Linear(hidden, inner, bias=False)
        self.down_proj = nn.Linear(inner, hidden, bias=False)
        self.act = act

    def forward(self, x):
        return self.down_proj(self.act(self.gate_proj(x)) * self.up_proj(x))


def gated(act, hidden, inner, batch):
    def run(mode, length):
        x = torch.randn(batch, length, hidden, device="cuda", dtype=BF16, requires_grad=True)
        net = Gated(hidden, inner, act()).to("cuda").to(BF16)
        return by_mode(mode, lambda: net(x), torch.randn_like)

    return run


def tanh_gelu():
    return nn.GELU(approximate="tanh")


def halves_turned(x):
    first = x[..., : x.shape[-1] // 2]
    second = x[..., x.shape[-1] // 2 :]
    return torch.cat((-second, first), dim=-1)


def frequencies(width):
    return 1.0 / (10000 ** (torch.arange(0, width, 2, device="cuda", dtype=torch.int64).float() / width))


def angles(inverse, positions):
    """Cosine and sine of a rotary embedding; the product of frequencies and positions is a matrix product."""
    wide = inverse[None, :, None].float().expand(1, -1, 1)
    turned = (wide @ positions[:, None, :].float()).transpose(1, 2)
    both = torch.cat((turned, turned), dim=-1)
    return both.cos().to(BF16), both.sin().to(BF16)


def rotary(hidden, length):
    width = hidden // 32
    q = torch.randn(1, length, 32, width, device="cuda", dtype=BF16, requires_grad=True).transpose(1, 2)
    k = torch.randn(1, length, 8, width, device="cuda", dtype=BF16, requires_grad=True).transpose(1, 2)
    dq, dk = torch.randn_like(q), torch.randn_like(k)
    positions = torch.arange(length, device="cuda").unsqueeze(0)
    inverse = frequencies(width)  # a buffer of the module: it stays
    cos, sin = angles(inverse, positions)

    def turn():
        c, s = cos.unsqueeze(1), sin.unsqueeze(1)
        q_turned = (q * c) + (halves_turned(q) * s)
        k_turned = (k * c) + (halves_turned(k) * s)
        return q_turned, k_turned

    def full():
        a, b = turn()
        torch.autograd.grad((a, b), (q, k), (dq, dk), allow_unused=True, retain_graph=True)

    return peak(full)


def embedding(width, batch, length):
    def run(mode, vocabulary):
        table = nn.Embedding(vocabulary, width).to("cuda")
        unused = nn.Embedding(vocabulary, width).to("cuda")
        ids = torch.randint(0, vocabulary, (batch, length), device="cuda")

        def full():
            out = table(ids)
            out.backward(torch.randn_like(out))

        return peak(full)

    return run


KINDS = {
    "cross_entropy": cross_entropy,
    "kl_div": kl_div,
    "total_variation": total_variation,
    "jensen_shannon": jensen_shannon,
    "layer_norm": layer_norm,
    "swiglu": gated(nn.SiLU, 4096, 11008, 4),
    "geglu": gated(tanh_gelu, 4096, 11008, 8),
    "small_swiglu": gated(nn.SiLU, 2048, 4096, 2),
    "small_geglu": gated(tanh_gelu, 2048, 4096, 2),
    "rotary_length": lambda mode, size: rotary(8192, size),
    "rotary_hidden": lambda mode, size: rotary(size, 2048),
    "embedding_4096": embedding(4096, 8, 2048),
    "embedding_768": embedding(768, 32, 512),
}

if __name__ == "__main__":
    kind, mode, *sizes = sys.argv[1:]
    for size in sizes:
        print(f"{size}\t{KINDS[kind](mode, int(size))}")
