"""
Decoders: tokens that see what came before. One core; a family overrides what is special.

A tensor lives exactly as long as in the library: what a function still names, or was called with, is held. So the names
that are rebound here, and those that are not, are part of the memory model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from ..activations import ACT2FN
from ..parts.attention import HeadedModule
from ..cache_utils import DynamicCache
from .capturing import collects
from ..configuration_utils import PreTrainedConfig
from ..masking_utils import create_causal_mask
from ..modeling_utils import BLOCK_RECORDS, Block, PreTrainedModel
from ..parts.norms import RMSNorm
from ..modeling_outputs import BaseModelOutputWithPast
from ..parts.rope import RotaryEmbedding, rotate

if TYPE_CHECKING:
    from typing import Any

    import torch
    from torch import Tensor
    from transformers.cache_utils import Cache


class DecoderConfig(PreTrainedConfig):
    """Fields that decoders share, with the defaults most of them use."""

    has_rope = True
    vocab_size = 32000
    hidden_size = 4096
    intermediate_size = 11008
    num_hidden_layers = 32
    num_attention_heads = 32
    num_key_value_heads = None
    hidden_act = "silu"
    max_position_embeddings = 2048
    initializer_range = 0.02
    rms_norm_eps = 1e-6
    use_cache = True
    tie_word_embeddings = False
    attention_bias = False
    attention_dropout = 0.0
    mlp_bias = False
    head_dim = None

    def complete(self) -> None:
        if self.num_key_value_heads is None:
            self.num_key_value_heads = self.num_attention_heads
        if self.head_dim is None:
            self.head_dim = self.hidden_size // self.num_attention_heads


class GatedMLP(nn.Module):
    """Two projections up, one through the activation, and one down."""

    def __init__(self, config: PreTrainedConfig, intermediate_size: int | None = None) -> None:
        super().__init__()
        size = intermediate_size or config.intermediate_size
        bias = getattr(config, "mlp_bias", False)
        self.gate_proj = nn.Linear(config.hidden_size, size, bias=bias)
        self.up_proj = nn.Linear(config.hidden_size, size, bias=bias)
        self.down_proj = nn.Linear(size, config.hidden_size, bias=bias)
        self.act_fn = ACT2FN[config.hidden_act]

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(self.act_fn(self.gate_proj(x)) * self.up_proj(x))


class FusedGatedMLP(nn.Module):
    """Gate and up in one projection."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.gate_up_proj = nn.Linear(config.hidden_size, 2 * config.intermediate_size, bias=False)
        self.down_proj = nn.Linear(config.intermediate_size, config.hidden_size, bias=False)
        self.activation_fn = ACT2FN[config.hidden_act]

    def forward(self, x: Tensor) -> Tensor:
        both = self.gate_up_proj(x)
        gate, both = both.chunk(2, dim=-1)
        both = both * self.activation_fn(gate)
        return self.down_proj(both)


class Attention(HeadedModule):
    """
    Queries, keys and values from three projections, turned by position, with keys shared by groups of queries.

    `biased` and `out_biased` say which projections have biases; None asks the config's `attention_bias`.
    """

    biased = None
    out_biased = None
    rotate = staticmethod(rotate)

    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.config = config
        self.layer_idx = layer_idx
        self.head_dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self.num_key_value_groups = config.num_attention_heads // config.num_key_value_heads
        self.scaling = self.scale(config)
        self.attention_dropout = config.attention_dropout
        self.is_causal = True
        self.build(config)

    def scale(self, config: PreTrainedConfig) -> float:
        return self.head_dim**-0.5

    def build(self, config: PreTrainedConfig) -> None:
        bias = config.attention_bias if self.biased is None else self.biased
        out = bias if self.out_biased is None else self.out_biased
        self.q_proj = nn.Linear(config.hidden_size, config.num_attention_heads * self.head_dim, bias=bias)
        self.k_proj = nn.Linear(config.hidden_size, config.num_key_value_heads * self.head_dim, bias=bias)
        self.v_proj = nn.Linear(config.hidden_size, config.num_key_value_heads * self.head_dim, bias=bias)
        self.o_proj = nn.Linear(config.num_attention_heads * self.head_dim, config.hidden_size, bias=out)

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """[batch, length, hidden] to queries, keys and values [batch, heads, length, size], after what else lives on in `forward`."""
        shape = (*x.shape[:-1], -1, self.head_dim)
        query = self.q_proj(x).view(shape).transpose(1, 2)
        key = self.k_proj(x).view(shape).transpose(1, 2)
        value = self.v_proj(x).view(shape).transpose(1, 2)
        return query, key, value

    def options(self) -> dict:
        """More arguments for the attention function."""
        return {}

    def out_steps(self) -> tuple:
        """What comes after attention: functions of one operator each, so that no step outlives the next."""
        return (self.o_proj,)

    def forward(
        self,
        hidden_states: Tensor,
        position_embeddings: tuple[Tensor, Tensor] | None = None,
        attention_mask: Tensor | None = None,
        past_key_values: Cache | None = None,
        **kwargs: Tensor | bool,
    ) -> tuple[Tensor, Tensor | None]:
        shape = hidden_states.shape[:-1]
        *_kept, query, key, value = self.project(hidden_states)
        if position_embeddings is not None:
            cos, sin = position_embeddings
            query, key = self.rotate(query, key, cos, sin)
        if past_key_values is not None:
            key, value = past_key_values.update(key, value, self.layer_idx)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.attention_dropout if self.training else 0.0,
            scaling=self.scaling,
            **self.options(),
            **kwargs,
        )
        output = output.reshape(*shape, -1).contiguous()
        for step in self.out_steps():
            output = step(output)
        return output, weights


class DecoderLayer(Block):
    """Attention and a feed-forward part, each normalised before and added to what came in."""

    attention_class = Attention
    mlp_class = GatedMLP
    norm_class = RMSNorm
    norm_eps = "rms_norm_eps"

    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.hidden_size = config.hidden_size
        self.self_attn = self.attention_class(config, layer_idx)
        self.mlp = self.make_mlp(config, layer_idx)
        self.build_norms(config)

    def make_mlp(self, config: PreTrainedConfig, layer_idx: int) -> torch.nn.Module:
        return self.mlp_class(config)

    def norm(self, config: PreTrainedConfig) -> torch.nn.Module:
        return self.norm_class(config.hidden_size, eps=getattr(config, self.norm_eps))

    def build_norms(self, config: PreTrainedConfig) -> None:
        self.input_layernorm = self.norm(config)
        self.post_attention_layernorm = self.norm(config)

    def forward(self, hidden_states: Tensor, **kwargs: Cache | Tensor | tuple[Tensor, Tensor] | None) -> Tensor:
        residual = hidden_states
        hidden_states = self.input_layernorm(hidden_states)
        hidden_states, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        hidden_states = residual + hidden_states
        residual = hidden_states
        hidden_states = self.post_attention_layernorm(hidden_states)
        hidden_states = self.mlp(hidden_states)
        hidden_states = residual + hidden_states
        return hidden_states


class DecoderModel(PreTrainedModel):
    """Embeddings, layers and a last norm. `forward` gives states [batch, length, hidden]."""

    layer_class = DecoderLayer
    rotary_class = RotaryEmbedding
    records = BLOCK_RECORDS
    output_class = BaseModelOutputWithPast
    # whether the embeddings have a name of their own beside the states that enter the first layer
    keeps_embeds = True

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.padding_idx = config.pad_token_id
        self.vocab_size = config.vocab_size
        self.gradient_checkpointing = False
        self.build(config)
        self.post_init()

    def build(self, config: PreTrainedConfig) -> None:
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size, self.padding_idx)
        self.layers = nn.ModuleList(self.layer_class(config, index) for index in range(config.num_hidden_layers))
        self.norm = self.last_norm(config)
        self.rotary_emb = self.rotary_class(config=config)

    def last_norm(self, config: PreTrainedConfig) -> torch.nn.Module:
        kind = self.layer_class
        return kind.norm_class(config.hidden_size, eps=getattr(config, kind.norm_eps))

    def masks(self, **kwargs: Cache | Tensor | None) -> Tensor | None:
        """The mask for every layer."""
        return create_causal_mask(config=self.config, **kwargs)

    def mask_of(self, masks: Tensor | None, index: int) -> Tensor | None:
        """The mask of one layer, where layers differ."""
        return masks

    def embed(self, input_ids: Tensor) -> Tensor:
        return self.embed_tokens(input_ids)

    def positions(self, states: Tensor, position_ids: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        """What every layer gets to know about positions."""
        return self.rotary_emb(states, position_ids=position_ids)

    def position_of(self, positions: Tensor | tuple[Tensor, Tensor], index: int) -> Tensor | tuple[Tensor, Tensor]:
        return positions

    def wants_cache(self, use_cache: bool | None) -> bool:
        if use_cache is None:
            use_cache = getattr(self.config, "use_cache", None)
        return use_cache and not (self.gradient_checkpointing and self.training)

    @collects
    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        past_key_values: Cache | None = None,
        inputs_embeds: Tensor | None = None,
        use_cache: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You must specify exactly one of input_ids or inputs_embeds")
        if inputs_embeds is None:
            inputs_embeds = self.embed(input_ids)
        use_cache = self.wants_cache(use_cache)
        if use_cache and past_key_values is None:
            past_key_values = DynamicCache(config=self.config)
        position_ids, rotary_ids = self.prepare_position_ids(position_ids, inputs_embeds, past_key_values)
        masks = self.masks(
            inputs_embeds=inputs_embeds,
            attention_mask=attention_mask,
            past_key_values=past_key_values,
            position_ids=position_ids,
        )
        hidden_states = self.enter(inputs_embeds)
        if not self.keeps_embeds:
            inputs_embeds = hidden_states
        positions = self.positions(hidden_states, rotary_ids)
        more = self.extras(kwargs)
        for index, layer in enumerate(self.layers[: self.config.num_hidden_layers]):
            hidden_states = layer(
                hidden_states,
                attention_mask=self.mask_of(masks, index),
                position_embeddings=self.position_of(positions, index),
                position_ids=position_ids,
                past_key_values=past_key_values,
                use_cache=use_cache,
                **kwargs,
            )
            if isinstance(hidden_states, tuple):
                hidden_states = hidden_states[0]
            if more:
                hidden_states = self.after_layer(hidden_states, index, **more)
        hidden_states = self.leave(hidden_states)
        return self.output_class(last_hidden_state=hidden_states, past_key_values=past_key_values)

    def prepare_position_ids(
        self, position_ids: Tensor | None, embeds: Tensor, past_key_values: Cache | None
    ) -> tuple[Tensor, Tensor]:
        """Positions for masks and layers, and those for the rotary embedding."""
        if position_ids is None:
            seen = past_key_values.get_seq_length() if past_key_values is not None else 0
            position_ids = range_after(embeds, seen)
            position_ids = position_ids.unsqueeze(0)
        return position_ids, position_ids

    def extras(self, kwargs: Any) -> dict:
        """Takes out of `given` what is not for the layers, but for `after_layer`."""
        return {}

    def enter(self, embeds: Tensor) -> Tensor:
        """What the first layer gets."""
        return embeds

    def leave(self, states: Tensor) -> Tensor:
        """What comes after the last layer."""
        return self.norm(states)


def range_after(states: Tensor, first: int) -> Tensor:
    """Positions of the tokens of `states`, after `first` that were seen before."""
    import torch

    return torch.arange(states.shape[1], device=states.device) + first
