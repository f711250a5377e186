"""deepseek_v2: latent attention whose parts turn as complex numbers; experts by softmax, in groups in some sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cores.decoder import DecoderConfig, GatedMLP
from ..cores.decoder_heads import family
from ..parts.experts import Experts
from ..parts.latent import LatentAttention
from ..parts.rope_complex import ComplexRotaryEmbedding, as_complex
from .deepseek_v3 import LateSparseLayer

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class DeepseekV2Config(DecoderConfig):
    model_type = "deepseek_v2"
    bos_token_id = 1
    eos_token_id = 2
    pretraining_tp = 1
    first_k_dense_replace = 0
    kv_lora_rank = 512
    q_lora_rank = 1536
    n_group = None
    n_routed_experts = 64
    n_shared_experts = 2
    qk_nope_head_dim = 128
    qk_rope_head_dim = 64
    routed_scaling_factor = 1.0
    topk_group = None
    topk_method = "greedy"
    norm_topk_prob = False
    v_head_dim = 128
    num_experts_per_tok = None
    moe_intermediate_size = 1407

    def complete(self) -> None:
        super().complete()
        self.head_dim = self.qk_rope_head_dim


def rotate_complex(query: Tensor, key: Tensor, turns: Any) -> tuple:
    """Turns neighbours of queries and keys [batch, heads, length, size], in float32."""
    complex_query = as_complex(query)
    complex_key = as_complex(key)
    turns = turns.unsqueeze(1).to(complex_query.device)
    turned_query = torch.view_as_real(complex_query * turns).flatten(3).type_as(query)
    turned_key = torch.view_as_real(complex_key * turns).flatten(3).type_as(key)
    return turned_query, turned_key


class DeepseekV2Attention(LatentAttention):
    def turn(self, query: Tensor, key: Tensor, positions: Tensor) -> tuple:
        return rotate_complex(query, key, positions)


class DeepseekV2Moe(nn.Module):
    def __init__(self, config: DeepseekV2Config) -> None:
        super().__init__()
        self.config = config
        self.experts = Experts(config, config.n_routed_experts, config.moe_intermediate_size)
        self.gate = nn.Linear(config.hidden_size, config.n_routed_experts, bias=False)
        if config.n_shared_experts is not None:
            self.shared_experts = GatedMLP(config, config.moe_intermediate_size * config.n_shared_experts)

    def choose(self, scores: Tensor) -> tuple:
        config = self.config
        batch, length, count = scores.shape
        scores = scores.view(-1, count)
        scores = scores.softmax(dim=-1, dtype=torch.float32)
        if config.topk_method == "greedy":
            weights, index = torch.topk(scores, k=config.num_experts_per_tok, dim=-1, sorted=False)
        else:
            tokens, groups = batch * length, config.n_group
            per_group = scores.view(tokens, groups, -1).max(dim=-1).values
            best = torch.topk(per_group, k=config.topk_group, dim=-1, sorted=False)[1]
            mask = torch.zeros_like(per_group)
            mask.scatter_(1, best, 1)
            allowed = mask.unsqueeze(-1).expand(tokens, groups, count // groups).reshape(tokens, -1)
            eligible = scores.masked_fill(~allowed.bool(), 0.0)
            weights, index = torch.topk(eligible, k=config.num_experts_per_tok, dim=-1, sorted=False)
        weights = weights * config.routed_scaling_factor
        return index, weights

    def forward(self, states: Tensor) -> Tensor:
        residual = states
        shape = states.shape
        scores = F.linear(states.type(torch.float32), self.gate.weight.type(torch.float32))
        index, weights = self.choose(scores)
        states = states.view(-1, states.shape[-1])
        states = self.experts(states, index, weights).view(*shape)
        states = states + self.shared_experts(residual)
        return states


class DeepseekV2DecoderLayer(LateSparseLayer):
    attention_class = DeepseekV2Attention
    sparse_class = DeepseekV2Moe


family("DeepseekV2", DeepseekV2Config, __name__, layer=DeepseekV2DecoderLayer, rotary=ComplexRotaryEmbedding)
