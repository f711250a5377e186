"""Sparse mixture of experts, the Mixtral way, with index_add_ and a load-balancing loss."""
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
torch.set_float32_matmul_precision("high")
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class Expert(nn.Module):
    def __init__(self, hidden, ffn):
        super().__init__()
        self.w1 = nn.Linear(hidden, ffn, bias=False)
        self.w2 = nn.Linear(ffn, hidden, bias=False)
        self.w3 = nn.Linear(hidden, ffn, bias=False)
        self.act_fn = nn.SiLU()

    def forward(self, x):
        return self.w2(self.act_fn(self.w1(x)) * self.w3(x))


class DenseDispatchMoE(nn.Module):
    """Every expert sees a capacity-bounded slice, with one-hot dispatch and combine tensors (Switch/GShard)."""

    def __init__(self, hidden, ffn, experts=4, capacity_factor=1.25, k=2):
        super().__init__()
        self.gate = nn.Linear(hidden, experts, bias=False)
        self.w_in = nn.Parameter(torch.empty(experts, hidden, ffn))
        self.w_out = nn.Parameter(torch.empty(experts, ffn, hidden))
        nn.init.kaiming_uniform_(self.w_in, a=5**0.5)
        nn.init.kaiming_uniform_(self.w_out, a=5**0.5)
        self.experts, self.k, self.cf = experts, k, capacity_factor

    def forward(self, x):
        b, t, d = x.shape
        x = x.reshape(-1, d)
        n = x.size(0)
        cap = int(self.cf * n * self.k / self.experts)
        probs = self.gate(x).float().softmax(-1)
        topv, topi = probs.topk(self.k, dim=-1)
        topv = topv / topv.sum(-1, keepdim=True)
        onehot = F.one_hot(topi, self.experts).float()
        flat = onehot.transpose(0, 1).reshape(-1, self.experts)
        position = (flat.cumsum(0) - 1) * flat
        keep = position < cap
        flat = flat * keep
        position = (position * flat).sum(-1).long()
        slot = F.one_hot(position, cap).float()
        dispatch = torch.einsum("ne,nc->nec", flat, slot).view(self.k, n, self.experts, cap)
        combine = (dispatch * topv.t()[..., None, None]).sum(0)
        dispatch = dispatch.sum(0)
        inp = torch.einsum("nec,nd->ecd", dispatch, x)
        hidden = F.gelu(torch.bmm(inp, self.w_in))
        out = torch.bmm(hidden, self.w_out)
        y = torch.einsum("nec,ecd->nd", combine, out)
        density = onehot[:, 0].mean(0)
        aux = (density * probs.mean(0)).sum() * self.experts
        return y.view(b, t, d), aux


class SortedMoE(nn.Module):
    """Experts see equal slices of the tokens, sorted by expert: index_select, index_add_."""

    def __init__(self, hidden, ffn, experts=4, top_k=2):
        super().__init__()
        self.gate = nn.Linear(hidden, experts, bias=False)
        self.experts = nn.ModuleList([Expert(hidden, ffn) for _ in range(experts)])
        self.top_k, self.num_experts = top_k, experts

    def forward(self, hidden_states):
        batch_size, sequence_length, hidden_dim = hidden_states.shape
        hidden_states = hidden_states.view(-1, hidden_dim)
        router_logits = self.gate(hidden_states)
        routing_weights = F.softmax(router_logits, dim=1, dtype=torch.float)
        routing_weights, selected = torch.topk(routing_weights, self.top_k, dim=-1)
        routing_weights /= routing_weights.sum(dim=-1, keepdim=True)
        routing_weights = routing_weights.to(hidden_states.dtype)
        final = torch.zeros((batch_size * sequence_length, hidden_dim), dtype=hidden_states.dtype, device=hidden_states.device)
        order = selected.flatten().argsort(stable=True)
        token_of = order // self.top_k
        chunks = token_of.chunk(self.num_experts)
        weights = routing_weights.flatten()[order].chunk(self.num_experts)
        for expert_idx in range(self.num_experts):
            top_x = chunks[expert_idx]
            current_state = hidden_states[top_x].reshape(-1, hidden_dim)
            current = self.experts[expert_idx](current_state) * weights[expert_idx][:, None]
            final.index_add_(0, top_x, current.to(hidden_states.dtype))
        return final.reshape(batch_size, sequence_length, hidden_dim), router_logits


def load_balancing_loss(gate_logits, num_experts, top_k):
    concatenated = torch.cat([g.to(gate_logits[0].device) for g in gate_logits], dim=0)
    routing_weights = F.softmax(concatenated, dim=-1)
    _, selected = torch.topk(routing_weights, top_k, dim=-1)
    expert_mask = F.one_hot(selected, num_experts)
    tokens_per_expert = torch.mean(expert_mask.float(), dim=0)
    router_prob_per_expert = torch.mean(routing_weights, dim=0)
    return torch.sum(tokens_per_expert * router_prob_per_expert.unsqueeze(0)) * num_experts


class Net(nn.Module):
    def __init__(self, hidden=64, ffn=160, layers=2):
        super().__init__()
        self.embed = nn.Embedding(256, hidden)
        self.sparse = nn.ModuleList(SortedMoE(hidden, ffn) for _ in range(layers))
        self.dense = DenseDispatchMoE(hidden, ffn)
        self.norms = nn.ModuleList(nn.RMSNorm(hidden) for _ in range(layers + 1))
        self.head = nn.Linear(hidden, 256)

    def forward(self, ids):
        x = self.embed(ids)
        gates = []
        for norm, moe in zip(self.norms, self.sparse):
            y, g = moe(norm(x))
            x = x + y
            gates.append(g)
        y, aux = self.dense(self.norms[-1](x))
        return self.head(x + y), gates, aux


history = defaultdict(list)
model = Net().to(DEVICE)
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
print("start", torch.cuda.memory_allocated())
for step in range(3):
    ids = torch.randint(0, 256, (4, 33), device=DEVICE)
    logits, gates, aux = model(ids[:, :-1])
    ce = F.cross_entropy(logits.reshape(-1, 256), ids[:, 1:].reshape(-1))
    lb = load_balancing_loss(gates, 4, 2)
    loss = ce + 0.01 * lb + 0.01 * aux
    print(f"step {step} forward", torch.cuda.memory_allocated())
    opt.zero_grad()
    loss.backward()
    opt.step()
    for k, v in dict(ce=ce, lb=lb, aux=aux).items():
        history[k].append(v.item())
    print(f"step {step} end", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
print({k: len(v) for k, v in history.items()})
