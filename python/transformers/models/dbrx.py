"""dbrx: experts whose matrices lie one below the other, one clipped projection for queries, keys and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..configuration_utils import PreTrainedConfig
from ..cores.decoder import Attention, DecoderModel
from ..cores.decoder_heads import family
from ..parts.experts import even_share
from ..modeling_utils import Block
from ..cores.routers import SparseLM

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class DbrxAttentionConfig(PreTrainedConfig):
    attn_pdrop = 0.0
    clip_qkv = None
    kv_n_heads = 1


class DbrxFFNConfig(PreTrainedConfig):
    hidden_size = 6144
    ffn_act_fn = None
    ffn_hidden_size = 3584
    moe_num_experts = 4
    moe_top_k = 1
    moe_jitter_eps = None
    moe_loss_weight = 0.01
    moe_normalize_expert_weights = 1.0

    def complete(self) -> None:
        if self.ffn_act_fn is None:
            self.ffn_act_fn = {"name": "silu"}


class DbrxConfig(PreTrainedConfig):
    model_type = "dbrx"
    has_rope = True
    sub_configs = {"attn_config": DbrxAttentionConfig, "ffn_config": DbrxFFNConfig}
    attribute_map = {
        "num_attention_heads": "n_heads",
        "hidden_size": "d_model",
        "num_hidden_layers": "n_layers",
        "max_position_embeddings": "max_seq_len",
    }
    d_model = 2048
    n_heads = 16
    n_layers = 24
    max_seq_len = 2048
    vocab_size = 32000
    use_cache = True
    initializer_range = 0.02
    tie_word_embeddings = False
    resid_pdrop = 0.0
    emb_pdrop = 0.0
    output_router_logits = False

    def complete(self) -> None:
        self.num_key_value_heads = self.attn_config.kv_n_heads
        self.attention_dropout = self.attn_config.attn_pdrop


class DbrxAttention(Attention):
    def build(self, config: PreTrainedConfig) -> None:
        self.clip_qkv = config.attn_config.clip_qkv
        self.sizes = [config.d_model, *[config.num_key_value_heads * self.head_dim] * 2]
        self.Wqkv = nn.Linear(config.d_model, sum(self.sizes), bias=False)
        self.out_proj = nn.Linear(config.d_model, config.d_model, bias=False)

    @property
    def o_proj(self) -> Any:
        return self.out_proj

    def project(self, x: Tensor) -> tuple:
        shape = (*x.shape[:-1], -1, self.head_dim)
        together = self.Wqkv(x)
        together = together.clamp(min=None if self.clip_qkv is None else -self.clip_qkv, max=self.clip_qkv)
        parts = together.split(self.sizes, dim=2)
        return together, *(part.view(shape).transpose(1, 2) for part in parts)


class DbrxExpertGLU(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        rows = config.moe_num_experts * config.ffn_hidden_size
        self.w1 = nn.Parameter(torch.empty(rows, config.hidden_size))
        self.v1 = nn.Parameter(torch.empty(rows, config.hidden_size))
        self.w2 = nn.Parameter(torch.empty(rows, config.hidden_size))
        self.activation_fn = ACT2FN[config.ffn_act_fn.get("name", "silu")]

    def forward(self, x: Tensor, gate_weight: Any, up_weight: Any, down_weight: Any) -> Tensor:
        gate = x.matmul(gate_weight)
        up = x.matmul(up_weight)
        gate = self.activation_fn(gate)
        both = gate * up
        return both.matmul(down_weight.t())


class DbrxExperts(nn.Module):
    """One expert after another."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.mlp = DbrxExpertGLU(config)
        self.hidden_size, self.ffn_hidden_size = config.hidden_size, config.ffn_hidden_size
        self.num_experts = config.moe_num_experts

    def forward(self, states: Tensor, index: int, weights: Tensor) -> Tensor:
        batch = states.shape[0]
        states = states.reshape(-1, self.ffn_hidden_size)
        summed = torch.zeros_like(states)
        with torch.no_grad():
            mask = F.one_hot(index, num_classes=self.num_experts)
            mask = mask.permute(2, 1, 0)
            hit = torch.greater(mask.sum(dim=(-1, -2)), 0).nonzero()
        pairs_of = even_share(mask, index.numel())
        shape = (-1, self.ffn_hidden_size, self.hidden_size)
        for number in hit:
            number = number[0]
            with torch.no_grad():
                choice, token = pairs_of(number)
            up = self.mlp.v1.view(shape)[number]
            gate = self.mlp.w1.view(shape)[number]
            down = self.mlp.w2.view(shape)[number]
            result = self.mlp(states[token], gate, up, down)
            result = result.view(-1, self.ffn_hidden_size) * weights[token, choice, None]
            summed.index_add_(0, token, result)
        summed = summed.view(batch, -1, self.ffn_hidden_size)
        return summed


class DbrxRouter(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.moe_jitter_eps = config.moe_jitter_eps
        self.layer = nn.Linear(config.ffn_hidden_size, config.moe_num_experts, bias=False)

    def forward(self, states: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        if self.training and self.moe_jitter_eps is not None:
            states *= torch.empty_like(states).uniform_(1.0 - self.moe_jitter_eps, 1.0 + self.moe_jitter_eps)
        states = states.view(-1, states.shape[-1])
        return self.layer(states)


class DbrxFFN(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.router = DbrxRouter(config)
        self.experts = DbrxExperts(config)
        self.order = config.moe_normalize_expert_weights
        self.top_k = config.moe_top_k

    def choose(self, logits: Tensor) -> tuple:
        logits = F.softmax(logits, dim=1, dtype=logits.dtype)
        weights, index = torch.topk(logits, self.top_k, dim=-1)
        if self.order is not None:
            weights = weights / torch.norm(weights, p=self.order, dim=-1, keepdim=True)
        return weights, index

    def forward(self, states: Tensor) -> tuple[Tensor, Tensor]:
        logits = self.router(states)
        weights, index = self.choose(logits)
        output = self.experts(states, index, weights)
        return output


class DbrxNormAttentionNorm(nn.Module):
    def __init__(self, config: DbrxConfig, layer_idx: int | None) -> None:
        super().__init__()
        self.resid_pdrop = config.resid_pdrop
        self.norm_1 = nn.LayerNorm(config.d_model, bias=False)
        self.attn = DbrxAttention(config, layer_idx)
        self.norm_2 = nn.LayerNorm(config.d_model, bias=False)

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> tuple[Tensor, Tensor]:
        residual = hidden_states
        hidden_states = self.norm_1(hidden_states).to(hidden_states.dtype)
        hidden_states, _ = self.attn(hidden_states=hidden_states, **kwargs)
        hidden_states = F.dropout(hidden_states, p=self.resid_pdrop, training=self.training)
        hidden_states = hidden_states + residual
        residual = hidden_states
        hidden_states = self.norm_2(hidden_states).to(hidden_states.dtype)
        return residual, hidden_states


class DbrxBlock(Block):
    def __init__(self, config: DbrxConfig, layer_idx: int) -> None:
        super().__init__()
        self.resid_pdrop = config.resid_pdrop
        self.norm_attn_norm = DbrxNormAttentionNorm(config, layer_idx)
        self.ffn = DbrxFFN(config.ffn_config)

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> Any:
        residual, hidden_states = self.norm_attn_norm(hidden_states=hidden_states, **kwargs)
        hidden_states = self.ffn(hidden_states)
        hidden_states = F.dropout(hidden_states, p=self.resid_pdrop, training=self.training)
        hidden_states = residual + hidden_states
        return hidden_states


class DbrxModel(DecoderModel):
    def build(self, config: PreTrainedConfig) -> None:
        self.rotary_emb = self.rotary_class(config=config)
        self.wte = nn.Embedding(config.vocab_size, config.d_model, self.padding_idx)
        self.blocks = nn.ModuleList(DbrxBlock(config, index) for index in range(config.n_layers))
        self.norm_f = nn.LayerNorm(config.d_model, bias=False)

    @property
    def layers(self) -> Any:
        return self.blocks

    def embed(self, input_ids: Tensor) -> Any:
        return self.wte(input_ids)

    def leave(self, states: Tensor) -> Any:
        return self.norm_f(states)


family(
    *("Dbrx", DbrxConfig, __name__),
    model=DbrxModel,
    lm=SparseLM,
    heads=False,
    lm_fields={"base_model_prefix": "transformer", "tied": {"lm_head.weight": "transformer.wte.weight"}},
)
