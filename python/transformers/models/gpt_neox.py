"""gpt_neox: attention and feed-forward part side by side, one projection by heads, a part of each head turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from ..activations import ACT2FN
from ..parts.attention import HeadedModule, eager_wide
from ..cores.decoder import DecoderModel
from ..cores.decoder_heads import CausalLM, family
from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import Block
from ..parts.rope import rotate_part

if TYPE_CHECKING:
    from typing import Any

    import torch
    from torch import Tensor
    from transformers.cache_utils import Cache


class GPTNeoXConfig(PreTrainedConfig):
    model_type = "gpt_neox"
    has_rope = True
    vocab_size = 50432
    hidden_size = 6144
    num_hidden_layers = 44
    num_attention_heads = 64
    intermediate_size = 24576
    hidden_act = "gelu"
    attention_dropout = 0.0
    hidden_dropout = 0.0
    classifier_dropout = 0.1
    max_position_embeddings = 2048
    layer_norm_eps = 1e-5
    use_cache = True
    bos_token_id = 0
    eos_token_id = 2
    tie_word_embeddings = False
    use_parallel_residual = True
    attention_bias = True
    rotary_pct = 0.25
    rotary_emb_base = 10000.0

    def _complete_rope_part(self, part, theta):
        part.setdefault("rope_theta", self.rotary_emb_base)
        part.setdefault("partial_rotary_factor", self.rotary_pct)
        super()._complete_rope_part(part, theta)


class GPTNeoXAttention(HeadedModule):
    eager = staticmethod(eager_wide)

    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.config = config
        self.head_size = config.hidden_size // config.num_attention_heads
        self.attention_dropout = config.attention_dropout
        self.scaling = self.head_size**-0.5
        self.is_causal = True
        self.layer_idx = layer_idx
        self.query_key_value = nn.Linear(config.hidden_size, 3 * config.hidden_size, bias=config.attention_bias)
        self.dense = nn.Linear(config.hidden_size, config.hidden_size, bias=config.attention_bias)

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None,
        past_key_values: Cache | None = None,
        position_embeddings: tuple[Tensor, Tensor] | None = None,
        **kwargs: Any,
    ) -> tuple[Tensor, None]:
        shape = hidden_states.shape[:-1]
        together = self.query_key_value(hidden_states).view((*shape, -1, 3 * self.head_size)).transpose(1, 2)
        query, key, value = together.chunk(3, dim=-1)
        cos, sin = position_embeddings
        query, key = rotate_part(query, key, cos, sin)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            scaling=self.scaling,
            dropout=self.attention_dropout if self.training else 0.0,
            **kwargs,
        )
        output = output.reshape(*shape, -1).contiguous()
        output = self.dense(output)
        return output, weights


class GPTNeoXMLP(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense_h_to_4h = nn.Linear(config.hidden_size, config.intermediate_size)
        self.dense_4h_to_h = nn.Linear(config.intermediate_size, config.hidden_size)
        self.act = ACT2FN[config.hidden_act]

    def forward(self, x: Tensor) -> Tensor:
        x = self.dense_h_to_4h(x)
        x = self.act(x)
        x = self.dense_4h_to_h(x)
        return x


class GPTNeoXLayer(Block):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.use_parallel_residual = config.use_parallel_residual
        self.input_layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.post_attention_layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.post_attention_dropout = nn.Dropout(config.hidden_dropout)
        self.post_mlp_dropout = nn.Dropout(config.hidden_dropout)
        self.attention = GPTNeoXAttention(config, layer_idx)
        self.mlp = GPTNeoXMLP(config)

    def forward(self, hidden_states: Tensor | None, **kwargs: Any) -> Tensor:
        attended, _ = self.attention(self.input_layernorm(hidden_states), **kwargs)
        attended = self.post_attention_dropout(attended)
        if self.use_parallel_residual:
            fed = self.mlp(self.post_attention_layernorm(hidden_states))
            fed = self.post_mlp_dropout(fed)
            hidden_states = fed + attended + hidden_states
        else:
            attended = attended + hidden_states
            fed = self.mlp(self.post_attention_layernorm(attended))
            fed = self.post_mlp_dropout(fed)
            hidden_states = fed + attended
        return hidden_states


class GPTNeoXModel(DecoderModel):
    def build(self, config: PreTrainedConfig) -> None:
        self.embed_in = nn.Embedding(config.vocab_size, config.hidden_size)
        self.emb_dropout = nn.Dropout(config.hidden_dropout)
        self.layers = nn.ModuleList(GPTNeoXLayer(config, index) for index in range(config.num_hidden_layers))
        self.final_layer_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.rotary_emb = self.rotary_class(config=config)

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.embed_in

    def embed(self, input_ids: Tensor) -> Tensor:
        return self.embed_in(input_ids)

    def enter(self, embeds: Tensor) -> Tensor:
        return self.emb_dropout(embeds)

    def leave(self, states: Tensor) -> Tensor:
        return self.final_layer_norm(states)


class NeoXLM(CausalLM):
    base_model_prefix = "gpt_neox"
    head_name = "embed_out"
    tied = {"embed_out.weight": "gpt_neox.embed_in.weight"}


family("GPTNeoX", GPTNeoXConfig, __name__, model=GPTNeoXModel, lm=NeoXLM, heads=False)
