"""Encoder-decoders in the manner of BART: two stacks of layers, of which the second reads the first. A family overrides what is special."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..cache_utils import DynamicCache, EncoderDecoderCache
from .capturing import Recorded, collects
from ..configuration_utils import PreTrainedConfig
from ..masking_utils import create_bidirectional_mask, create_causal_mask
from ..modeling_utils import Block, PreTrainedModel
from ..modeling_outputs import BaseModelOutput, BaseModelOutputWithPastAndCrossAttentions
from .seq2seq_attention import Seq2SeqAttention
from .seq2seq_embeddings import LearnedPositions, ScaledEmbedding

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor

    from ..cache_utils import Cache


class Seq2SeqConfig(PreTrainedConfig):
    """Fields that these families share, with the defaults most of them use."""

    attribute_map = {
        "num_attention_heads": "encoder_attention_heads",
        "hidden_size": "d_model",
        "num_hidden_layers": "encoder_layers",
    }
    vocab_size = 50265
    max_position_embeddings = 1024
    encoder_layers = 12
    encoder_ffn_dim = 4096
    encoder_attention_heads = 16
    decoder_layers = 12
    decoder_ffn_dim = 4096
    decoder_attention_heads = 16
    encoder_layerdrop = 0.0
    decoder_layerdrop = 0.0
    use_cache = True
    is_encoder_decoder = True
    activation_function = "gelu"
    d_model = 1024
    dropout = 0.1
    attention_dropout = 0.0
    activation_dropout = 0.0
    init_std = 0.02
    classifier_dropout = 0.0
    scale_embedding = False
    decoder_start_token_id = None
    is_decoder = False


class Seq2SeqLayer(Block):
    """What layers of both stacks share. `norm_first` says whether norms come before the parts, or after what they add to."""

    norm_first = False
    attention_class = Seq2SeqAttention

    def __init__(self, config: PreTrainedConfig, layer_idx: int | None = None) -> None:
        super().__init__()
        self.embed_dim = config.d_model
        self.dropout = config.dropout
        self.activation_dropout = config.activation_dropout
        self.build(config, layer_idx)
        self.final_layer_norm = nn.LayerNorm(self.embed_dim)

    def build_feed_forward(self, config: PreTrainedConfig, inner: int) -> None:
        self.activation_fn = ACT2FN[config.activation_function]
        self.fc1 = nn.Linear(self.embed_dim, inner)
        self.fc2 = nn.Linear(inner, self.embed_dim)

    def norm_before(self, norm: Any, states: Tensor) -> Any:
        return norm(states) if self.norm_first else states

    def norm_after(self, norm: Any, states: Tensor) -> Any:
        return states if self.norm_first else norm(states)

    def drop(self, states: Tensor) -> Any:
        return F.dropout(states, p=self.dropout, training=self.training)

    def feed_forward(self, hidden_states: Tensor) -> Tensor:
        residual = hidden_states
        hidden_states = self.norm_before(self.final_layer_norm, hidden_states)
        hidden_states = self.activation_fn(self.fc1(hidden_states))
        hidden_states = F.dropout(hidden_states, p=self.activation_dropout, training=self.training)
        hidden_states = self.fc2(hidden_states)
        hidden_states = self.drop(hidden_states)
        hidden_states = residual + hidden_states
        hidden_states = self.norm_after(self.final_layer_norm, hidden_states)
        return hidden_states


class Seq2SeqEncoderLayer(Seq2SeqLayer):
    # float16 states are limited always, or only if one is infinite (which no value here is)
    always_limits = False

    def build(self, config: PreTrainedConfig, layer_idx: int) -> None:
        self.self_attn = self.attention_class(config, config.encoder_attention_heads, layer_idx=layer_idx)
        self.self_attn_layer_norm = nn.LayerNorm(self.embed_dim)
        self.build_feed_forward(config, config.encoder_ffn_dim)

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None, **kwargs: Any) -> Any:
        residual = hidden_states
        hidden_states = self.norm_before(self.self_attn_layer_norm, hidden_states)
        hidden_states, _ = self.self_attn(hidden_states, attention_mask=attention_mask, **kwargs)
        hidden_states = self.drop(hidden_states)
        hidden_states = residual + hidden_states
        hidden_states = self.norm_after(self.self_attn_layer_norm, hidden_states)
        residual = hidden_states
        hidden_states = self.feed_forward(residual)
        if hidden_states.dtype == torch.float16 and (self.always_limits or not torch.isfinite(hidden_states).all()):
            bound = torch.finfo(hidden_states.dtype).max - 1000
            hidden_states = torch.clamp(hidden_states, min=-bound, max=bound)
        return hidden_states


class Seq2SeqDecoderLayer(Seq2SeqLayer):
    def build(self, config: PreTrainedConfig, layer_idx: int) -> None:
        heads = config.decoder_attention_heads
        self.self_attn = self.attention_class(config, heads, is_decoder=True, is_causal=True, layer_idx=layer_idx)
        self.self_attn_layer_norm = nn.LayerNorm(self.embed_dim)
        self.encoder_attn = self.attention_class(config, heads, is_decoder=True, layer_idx=layer_idx)
        self.encoder_attn_layer_norm = nn.LayerNorm(self.embed_dim)
        self.build_feed_forward(config, config.decoder_ffn_dim)

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        encoder_hidden_states: Tensor | None = None,
        encoder_attention_mask: Tensor | None = None,
        past_key_values: Cache | None = None,
        use_cache: bool = True,
        **kwargs: Any,
    ) -> Any:
        residual = hidden_states
        hidden_states = self.norm_before(self.self_attn_layer_norm, hidden_states)
        hidden_states, _ = self.self_attn(
            hidden_states, past_key_values=past_key_values, attention_mask=attention_mask, **kwargs
        )
        hidden_states = self.drop(hidden_states)
        hidden_states = residual + hidden_states
        hidden_states = self.norm_after(self.self_attn_layer_norm, hidden_states)
        if encoder_hidden_states is not None:
            residual = hidden_states
            hidden_states = self.norm_before(self.encoder_attn_layer_norm, hidden_states)
            hidden_states, _ = self.encoder_attn(
                hidden_states,
                key_value_states=encoder_hidden_states,
                attention_mask=encoder_attention_mask,
                past_key_values=past_key_values,
                **kwargs,
            )
            hidden_states = self.drop(hidden_states)
            hidden_states = residual + hidden_states
            hidden_states = self.norm_after(self.encoder_attn_layer_norm, hidden_states)
        residual = hidden_states
        hidden_states = self.feed_forward(residual)
        return hidden_states


class Side(PreTrainedModel):
    """
    What encoder and decoder share: words, positions, layers, norms.

    `scales_in_table` says that the table of words multiplies by the scale itself. `norms_embedding` and `norms_end` say
    which norms there are. Layers are never left out at random, whatever the config's layerdrop.
    """

    scales_in_table = True
    norms_embedding = True
    norms_end = False
    positions_class = LearnedPositions

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.dropout = config.dropout
        self.gradient_checkpointing = False
        self.build(config)
        if self.norms_embedding:
            self.layernorm_embedding = nn.LayerNorm(config.d_model)
        if self.norms_end:
            self.layer_norm = nn.LayerNorm(config.d_model)
        self.post_init()

    def build_words(self, config: PreTrainedConfig, count: int) -> None:
        scale = math.sqrt(config.d_model) if config.scale_embedding else 1.0
        if self.scales_in_table:
            self.embed_tokens = ScaledEmbedding(count, config.d_model, config.pad_token_id, scale)
        else:
            self.embed_tokens = nn.Embedding(count, config.d_model, config.pad_token_id)
            self.embed_scale = scale
        self.embed_positions = self.positions_class(config.max_position_embeddings, config.d_model, config.pad_token_id)

    def enter(self, states: Tensor) -> Tensor:
        """What the first layer gets."""
        if self.norms_embedding:
            states = self.layernorm_embedding(states)
        states = F.dropout(states, p=self.dropout, training=self.training)
        return states

    def leave(self, states: Tensor) -> Any:
        return self.layer_norm(states) if self.norms_end else states


class Seq2SeqEncoder(Side):
    layer_class = Seq2SeqEncoderLayer
    layers_know_index = False
    records = {"hidden_states": Block, "attentions": Seq2SeqAttention}

    def build(self, config: PreTrainedConfig) -> None:
        self.build_words(config, config.vocab_size)
        self.layers = nn.ModuleList(
            self.layer_class(config, index if self.layers_know_index else None)
            for index in range(config.encoder_layers)
        )

    def embed(self, input_ids: Tensor) -> Tensor:
        if self.scales_in_table:
            return self.embed_tokens(input_ids)
        return self.embed_tokens(input_ids) * self.embed_scale

    @collects
    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You must specify exactly one of input_ids or inputs_embeds")
        if inputs_embeds is None:
            inputs_embeds = self.embed(input_ids)
        positions = self.embed_positions(inputs_embeds, 0, None, input_ids)
        hidden_states = inputs_embeds + positions
        hidden_states = self.enter(hidden_states)
        attention_mask = create_bidirectional_mask(self.config, inputs_embeds, attention_mask)
        for layer in self.layers:
            hidden_states = layer(hidden_states, attention_mask, **kwargs)
        hidden_states = self.leave(hidden_states)
        return BaseModelOutput(last_hidden_state=hidden_states)


class Seq2SeqDecoder(Side):
    """`keeps_mask` says that the mask of ones lives beside the one that is made of it."""

    layer_class = Seq2SeqDecoderLayer
    keeps_mask = False
    keeps_position_ids = True
    makes_positions = True
    records = {
        "hidden_states": Block,
        "attentions": Recorded(Seq2SeqAttention, index=1, within="self_attn"),
        "cross_attentions": Recorded(Seq2SeqAttention, index=1, within="encoder_attn"),
    }

    def build(self, config: PreTrainedConfig) -> None:
        self.build_words(config, self.word_count(config))
        self.layers = nn.ModuleList(self.layer_class(config, index) for index in range(config.decoder_layers))

    def word_count(self, config: PreTrainedConfig) -> Any:
        return config.vocab_size

    def wants_cache(self, use_cache: bool | None) -> bool:
        if use_cache is None:
            use_cache = self.config.use_cache
        return use_cache and not (self.gradient_checkpointing and self.training)

    def new_cache(self, encoder_states: Tensor) -> Any:
        own = DynamicCache(config=self.config)
        if encoder_states is None and not self.config.is_encoder_decoder:
            return own
        return EncoderDecoderCache(own, DynamicCache(config=self.config))

    @collects
    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        encoder_hidden_states: Tensor | None = None,
        encoder_attention_mask: Tensor | None = None,
        past_key_values: Cache | None = None,
        inputs_embeds: Tensor | None = None,
        use_cache: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You must specify exactly one of decoder_input_ids or decoder_inputs_embeds")
        use_cache = self.wants_cache(use_cache)
        if inputs_embeds is None:
            inputs_embeds = self.embed_tokens(input_ids)
        if not self.scales_in_table:
            inputs_embeds = inputs_embeds * self.embed_scale
        if use_cache and past_key_values is None:
            past_key_values = self.new_cache(encoder_hidden_states)
        batch, length = inputs_embeds.size()[:-1]
        seen = past_key_values.get_seq_length() if past_key_values is not None else 0
        position_ids = None
        if self.makes_positions:
            position_ids = torch.arange(length, device=inputs_embeds.device) + seen
        if attention_mask is None:
            # a tensor on the device if the memory has a fixed size
            total = seen + length
            attention_mask = torch.ones(batch, total, device=inputs_embeds.device)
        paired = isinstance(past_key_values, EncoderDecoderCache)
        own_cache = past_key_values.self_attention_cache if paired else past_key_values
        mask = create_causal_mask(self.config, inputs_embeds, attention_mask, own_cache)
        if not self.keeps_mask:
            attention_mask = mask
        encoder_attention_mask = create_bidirectional_mask(
            self.config, inputs_embeds, encoder_attention_mask, encoder_hidden_states
        )
        positions = self.embed_positions(inputs_embeds, seen, position_ids, input_ids)
        if not self.keeps_position_ids:
            position_ids = None
        hidden_states = inputs_embeds + positions
        hidden_states = self.enter(hidden_states)
        for layer in self.layers:
            hidden_states = layer(
                hidden_states,
                mask,
                encoder_hidden_states,
                encoder_attention_mask=encoder_attention_mask,
                past_key_values=past_key_values,
                use_cache=use_cache,
                **kwargs,
            )
        hidden_states = self.leave(hidden_states)
        return BaseModelOutputWithPastAndCrossAttentions(
            last_hidden_state=hidden_states, past_key_values=past_key_values
        )
