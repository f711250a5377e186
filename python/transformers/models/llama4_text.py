"""llama4_text: chunks in three layers of four, one expert per token beside a shared one, queries that are scaled by position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..parts.attention import HeadedModule, repeat_kv
from ..cores.decoder import DecoderConfig, DecoderLayer, DecoderModel
from ..cores.decoder_heads import CausalLM
from ..masking_utils import create_causal_mask, create_chunked_causal_mask
from ..modeling_utils import PreTrainedModel, register, register_classes
from ..parts.rope_complex import ComplexRotaryEmbedding, as_complex

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.configuration_utils import PreTrainedConfig


class Llama4TextConfig(DecoderConfig):
    model_type = "llama4_text"
    default_theta = 500000.0
    vocab_size = 202048
    hidden_size = 5120
    intermediate_size = 8192
    intermediate_size_mlp = 16384
    num_hidden_layers = 48
    num_attention_heads = 40
    num_key_value_heads = 8
    head_dim = 128
    max_position_embeddings = 4096 * 32
    rms_norm_eps = 1e-5
    bos_token_id = 1
    eos_token_id = 2
    num_experts_per_tok = 1
    num_local_experts = 16
    moe_layers = None
    interleave_moe_layer_step = 1
    use_qk_norm = True
    output_router_logits = False
    router_aux_loss_coef = 0.001
    router_jitter_noise = 0.0
    no_rope_layers = None
    no_rope_layer_interval = 4
    attention_chunk_size = 8192
    layer_types = None
    attn_temperature_tuning = True
    floor_scale = 8192
    attn_scale = 0.1

    def complete(self) -> None:
        super().complete()
        count, step = self.num_hidden_layers, self.interleave_moe_layer_step
        if not self.no_rope_layers:
            self.no_rope_layers = [int((i + 1) % self.no_rope_layer_interval != 0) for i in range(count)]
        if self.moe_layers is None:
            self.moe_layers = list(range(step - 1, count, step))
        if self.layer_types is None:
            self.layer_types = ["chunked_attention" if turns else "full_attention" for turns in self.no_rope_layers]


def _normalise(x, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)


class Llama4TextRMSNorm(nn.Module):
    def __init__(self, size: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x: Tensor) -> Tensor:
        result = _normalise(x.float(), self.eps).type_as(x)
        return result * self.weight


class Llama4TextL2Norm(nn.Module):
    def __init__(self, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return _normalise(x.float(), self.eps).type_as(x)


class Llama4TextMLP(nn.Module):
    def __init__(self, config: PreTrainedConfig, intermediate_size: Any = None) -> None:
        super().__init__()
        size = intermediate_size or config.intermediate_size
        self.gate_proj = nn.Linear(config.hidden_size, size, bias=False)
        self.up_proj = nn.Linear(config.hidden_size, size, bias=False)
        self.down_proj = nn.Linear(size, config.hidden_size, bias=False)
        self.activation_fn = ACT2FN[config.hidden_act]

    def forward(self, x: Tensor) -> Tensor:
        wide = self.activation_fn(self.gate_proj(x)) * self.up_proj(x)
        return self.down_proj(wide)


class Llama4TextExperts(nn.Module):
    """Every expert computes every token: [experts * tokens, hidden] in, the same out."""

    def __init__(self, config: Llama4TextConfig) -> None:
        super().__init__()
        self.hidden_size = config.hidden_size
        count, size = config.num_local_experts, config.intermediate_size
        self.gate_up_proj = nn.Parameter(torch.zeros(count, self.hidden_size, 2 * size))
        self.down_proj = nn.Parameter(torch.empty(count, size, self.hidden_size))
        self.act_fn = ACT2FN[config.hidden_act]

    def forward(self, states: Tensor) -> Tensor:
        states = states.view(self.gate_up_proj.shape[0], -1, self.hidden_size)
        both = torch.bmm(states, self.gate_up_proj)
        gate, up = both.chunk(2, dim=-1)
        result = torch.bmm(up * self.act_fn(gate), self.down_proj)
        result = result.view(-1, self.hidden_size)
        return result


class Llama4Router(nn.Linear):
    """Scores [tokens, experts] between zero and one, zero for experts that were not chosen."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config.hidden_size, config.num_local_experts, bias=False)
        self.top_k = config.num_experts_per_tok

    def forward(self, states: Tensor) -> tuple[Tensor, Tensor]:
        logits = super().forward(states)
        best, index = torch.topk(logits, self.top_k, dim=1)
        scores = torch.full_like(logits, float("-inf")).scatter_(1, index, best)
        scores = F.sigmoid(scores.float()).to(scores.dtype)
        return scores, logits


class Llama4TextMoe(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.hidden_dim = config.hidden_size
        self.experts = Llama4TextExperts(config)
        self.router = Llama4Router(config)
        self.shared_expert = Llama4TextMLP(config)

    def forward(self, states: Tensor) -> tuple[Tensor, Tensor]:
        states = states.reshape(-1, self.hidden_dim)
        scores, logits = self.router(states)
        routed = states.repeat(scores.shape[1], 1)
        routed = routed * scores.transpose(0, 1).reshape(-1, 1)
        result = self.experts(routed)
        out = self.shared_expert(states)
        out.add_(result.reshape(scores.shape[1], -1, result.shape[-1]).sum(dim=0))
        return out, logits


def rotate_complex(query: Tensor, key: Tensor, turns: Tensor) -> tuple[Tensor, Tensor]:
    """Turns neighbours of queries and keys [batch, length, heads, size], in float32."""
    complex_query = as_complex(query)
    complex_key = as_complex(key)
    turned_query = torch.view_as_real(complex_query * turns[:, :, None, :]).flatten(3)
    turned_key = torch.view_as_real(complex_key * turns[:, :, None, :]).flatten(3)
    return turned_query.type_as(query), turned_key.type_as(key)


def eager_attention(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    scaling: float,
    dropout: float = 0.0,
    **_: Any,
) -> tuple:
    """The softmax is in the dtype of the scores."""
    keys = repeat_kv(key, module.num_key_value_groups)
    values = repeat_kv(value, module.num_key_value_groups)
    weights = torch.matmul(query, keys.transpose(2, 3)) * scaling
    if mask is not None:
        weights = weights + mask
    weights = F.softmax(weights, dim=-1)
    weights = F.dropout(weights, p=dropout, training=module.training)
    output = torch.matmul(weights, values)
    output = output.transpose(1, 2).contiguous()
    return output, weights


class Llama4TextAttention(HeadedModule):
    eager = staticmethod(eager_attention)

    def __init__(self, config: Llama4TextConfig, layer_idx: int) -> None:
        super().__init__()
        self.config = config
        self.layer_idx = layer_idx
        self.head_dim = config.head_dim
        self.num_key_value_groups = config.num_attention_heads // config.num_key_value_heads
        self.scaling = self.head_dim**-0.5
        self.attention_dropout = config.attention_dropout
        self.is_causal = True
        self.use_rope = config.no_rope_layers[layer_idx]
        queries, keys = config.num_attention_heads * self.head_dim, config.num_key_value_heads * self.head_dim
        self.q_proj = nn.Linear(config.hidden_size, queries, bias=config.attention_bias)
        self.k_proj = nn.Linear(config.hidden_size, keys, bias=config.attention_bias)
        self.v_proj = nn.Linear(config.hidden_size, keys, bias=config.attention_bias)
        self.o_proj = nn.Linear(queries, config.hidden_size, bias=config.attention_bias)
        if config.use_qk_norm and self.use_rope:
            self.qk_norm = Llama4TextL2Norm(config.rms_norm_eps)

    def forward(
        self,
        hidden_states: Tensor,
        position_embeddings: Tensor | None = None,
        attention_mask: Tensor | None = None,
        past_key_values: Cache | None = None,
        **kwargs: Any,
    ) -> tuple[Tensor, Tensor | None, tuple[Tensor] | None]:
        shape = hidden_states.shape[:-1]
        heads = (*shape, -1, self.head_dim)
        query = self.q_proj(hidden_states).view(heads)
        key = self.k_proj(hidden_states).view(heads)
        value = self.v_proj(hidden_states).view(heads).transpose(1, 2)
        if self.use_rope:
            query, key = rotate_complex(query, key, position_embeddings.to(query.device))
        if hasattr(self, "qk_norm"):
            query = self.qk_norm(query)
            key = self.qk_norm(key)
        if self.config.attn_temperature_tuning and not self.use_rope:
            seen = past_key_values.get_seq_length(self.layer_idx) if past_key_values is not None else 0
            positions = torch.arange(hidden_states.shape[1], device=hidden_states.device) + seen
            scales = (
                torch.log1p(torch.floor((positions.float() + 1.0) / self.config.floor_scale)) * self.config.attn_scale
                + 1.0
            )
            scales = scales.view((1, shape[-1], 1, 1)).expand((*shape, 1, 1))
            query = (query * scales).to(query.dtype)
        query = query.transpose(1, 2)
        key = key.transpose(1, 2)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.attention_dropout if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        output = output.reshape(*shape, -1).contiguous()
        output = self.o_proj(output)
        return output, weights


class Llama4TextDecoderLayer(DecoderLayer):
    attention_class = Llama4TextAttention
    norm_class = Llama4TextRMSNorm

    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        nn.Module.__init__(self)
        self.is_moe_layer = layer_idx in config.moe_layers
        self.self_attn = self.attention_class(config, layer_idx)
        self.feed_forward = (
            Llama4TextMoe(config) if self.is_moe_layer else Llama4TextMLP(config, config.intermediate_size_mlp)
        )
        self.build_norms(config)

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> Tensor:
        residual = hidden_states
        hidden_states = self.input_layernorm(hidden_states)
        attended, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        hidden_states = residual + attended
        residual = hidden_states
        hidden_states = self.post_attention_layernorm(hidden_states)
        hidden_states = self.feed_forward(hidden_states)
        if self.is_moe_layer:
            hidden_states, _ = hidden_states
        hidden_states = residual + hidden_states.view(residual.shape)
        return hidden_states


class Llama4TextModel(DecoderModel):
    layer_class = Llama4TextDecoderLayer
    rotary_class = ComplexRotaryEmbedding

    def masks(self, **kwargs: Tensor | None) -> dict[str, Tensor | None]:
        return {
            "full_attention": create_causal_mask(config=self.config, **kwargs),
            "chunked_attention": create_chunked_causal_mask(config=self.config, **kwargs),
        }

    def mask_of(self, masks: dict[str, Tensor | None], index: int) -> Tensor:
        return masks[self.config.layer_types[index]]


class Llama4ForCausalLM(CausalLM):
    model_class = Llama4TextModel


class Llama4PreTrainedModel(PreTrainedModel):
    config_class = Llama4TextConfig


register(
    Llama4TextConfig,
    AutoModel=Llama4TextModel,
    AutoModelForCausalLM=Llama4ForCausalLM,
    AutoModelForTextEncoding=Llama4TextModel,
)
register_classes(Llama4PreTrainedModel)
