"""phi: attention and feed-forward side by side after one norm; half of each head turns; biases everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..activations import ACT2FN
from ..parts.attention import HeadedModule
from ..cores.decoder import DecoderConfig, DecoderModel
from ..cores.decoder_heads import family
from ..modeling_utils import Block
from ..parts.rope import rotate

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.configuration_utils import PreTrainedConfig


class PhiConfig(DecoderConfig):
    model_type = "phi"
    vocab_size = 51200
    hidden_size = 2048
    intermediate_size = 8192
    num_hidden_layers = 24
    resid_pdrop = 0.0
    embd_pdrop = 0.0
    hidden_act = "gelu_new"
    layer_norm_eps = 1e-5
    partial_rotary_factor = 0.5
    qk_layernorm = False
    bos_token_id = 1
    eos_token_id = 2


class PhiAttention(HeadedModule):
    def __init__(self, config: PhiConfig, layer_idx: int) -> None:
        super().__init__()
        size, head = config.hidden_size, config.head_dim
        self.config = config
        self.layer_idx = layer_idx
        self.head_dim = head
        self.num_key_value_groups = config.num_attention_heads // config.num_key_value_heads
        self.scaling = head**-0.5
        self.is_causal = True
        self.q_proj = nn.Linear(size, config.num_attention_heads * head)
        self.k_proj = nn.Linear(size, config.num_key_value_heads * head)
        self.v_proj = nn.Linear(size, config.num_key_value_heads * head)
        self.dense = nn.Linear(config.num_attention_heads * head, size)
        self.turning = int(head * config.rope_parameters["partial_rotary_factor"])
        if config.qk_layernorm:
            self.q_layernorm = nn.LayerNorm(head, eps=config.layer_norm_eps)
            self.k_layernorm = nn.LayerNorm(head, eps=config.layer_norm_eps)

    def forward(
        self,
        hidden_states: Tensor,
        position_embeddings: tuple[Tensor, Tensor],
        attention_mask: Tensor | None,
        past_key_values: Cache | None = None,
        **kwargs: Any,
    ) -> tuple[Tensor, Tensor | None]:
        shape = (*hidden_states.shape[:-1], -1, self.head_dim)
        query = self.q_proj(hidden_states).view(shape).transpose(1, 2)
        key = self.k_proj(hidden_states).view(shape).transpose(1, 2)
        value = self.v_proj(hidden_states).view(shape).transpose(1, 2)
        if self.config.qk_layernorm:
            query = self.q_layernorm(query)
            key = self.k_layernorm(key)
        cos, sin = position_embeddings
        # the turned parts keep their names, so they live as long as this call
        turned_query, passed_query = query[..., : self.turning], query[..., self.turning :]
        turned_key, passed_key = key[..., : self.turning], key[..., self.turning :]
        turned_query, turned_key = rotate(turned_query, turned_key, cos, sin)
        query = torch.cat((turned_query, passed_query), dim=-1)
        key = torch.cat((turned_key, passed_key), dim=-1)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.config.attention_dropout if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        output = output.reshape(*shape[:-2], -1).contiguous()
        output = self.dense(output)
        return output, weights


class PhiMLP(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.activation_fn = ACT2FN[config.hidden_act]
        self.fc1 = nn.Linear(config.hidden_size, config.intermediate_size)
        self.fc2 = nn.Linear(config.intermediate_size, config.hidden_size)

    def forward(self, x: Tensor) -> Tensor:
        x = self.fc1(x)
        x = self.activation_fn(x)
        x = self.fc2(x)
        return x


class PhiDecoderLayer(Block):
    def __init__(self, config: PhiConfig, layer_idx: int) -> None:
        super().__init__()
        self.self_attn = PhiAttention(config, layer_idx)
        self.mlp = PhiMLP(config)
        self.input_layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.resid_dropout = nn.Dropout(config.resid_pdrop)

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> Tensor:
        residual = hidden_states
        hidden_states = self.input_layernorm(hidden_states)
        attended, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        attended = self.resid_dropout(attended)
        fed_forward = self.resid_dropout(self.mlp(hidden_states))
        hidden_states = attended + fed_forward + residual
        return hidden_states


class PhiModel(DecoderModel):
    keeps_embeds = False

    def build(self, config: PreTrainedConfig) -> None:
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size, self.padding_idx)
        self.layers = nn.ModuleList(PhiDecoderLayer(config, index) for index in range(config.num_hidden_layers))
        self.rotary_emb = self.rotary_class(config=config)
        self.embed_dropout = nn.Dropout(config.embd_pdrop)
        self.final_layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def enter(self, embeds: Tensor) -> Any:
        return self.embed_dropout(embeds)

    def leave(self, states: Tensor) -> Any:
        return self.final_layernorm(states)


family("Phi", PhiConfig, __name__, model=PhiModel, lm_fields={"head_bias": True})
