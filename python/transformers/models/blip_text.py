"""blip's texts: a decoder in the manner of BERT that looks at an image in every layer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
import torch
from torch import nn
from torch.nn import functional as F

from ..cache_utils import DynamicCache, EncoderDecoderCache
from ..configuration_utils import PreTrainedConfig
from ..cores.encoder import AddNorm, Intermediate
from ..cores.encoder_heads import MLMHead
from ..masking_utils import create_bidirectional_mask, create_causal_mask
from ..modeling_utils import Block, PreTrainedModel
from ..modeling_outputs import BaseModelOutputWithPastAndCrossAttentions, CausalLMOutputWithCrossAttentions
from .git import GitEmbeddings

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.modeling_outputs import ModelOutput


class BlipTextConfig(PreTrainedConfig):
    model_type = "blip_text_model"
    vocab_size = 30524
    hidden_size = 768
    encoder_hidden_size = 768
    intermediate_size = 3072
    projection_dim = 768
    num_hidden_layers = 12
    num_attention_heads = 8
    max_position_embeddings = 512
    hidden_act = "gelu"
    layer_norm_eps = 1e-12
    hidden_dropout_prob = 0.0
    attention_probs_dropout_prob = 0.0
    bos_token_id = 30522
    eos_token_id = 2
    pad_token_id = 0
    sep_token_id = 102
    is_decoder = True
    use_cache = True
    label_smoothing = 0.0


class BlipTextSelfAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig, crossed: Any, layer_idx: int) -> None:
        super().__init__()
        self.layer_idx = layer_idx
        self.attention_head_size = config.hidden_size // config.num_attention_heads
        size = config.hidden_size
        source = config.encoder_hidden_size if crossed else size
        self.query = nn.Linear(size, size)
        self.key = nn.Linear(source, size)
        self.value = nn.Linear(source, size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)

    def keys_and_values(self, states: Tensor, memory: Any, crossed: Any) -> tuple:
        """Projected from `states`, unless they are those of an image that the memory knows."""
        if memory is not None and crossed and memory.is_updated.get(self.layer_idx):
            layer = memory.cross_attention_cache.layers[self.layer_idx]
            return layer.keys, layer.values
        shape = (*states.shape[:-1], -1, self.attention_head_size)
        key = self.key(states).view(shape).transpose(1, 2)
        value = self.value(states).view(shape).transpose(1, 2)
        if memory is not None:
            part = memory
            if isinstance(memory, EncoderDecoderCache):
                part = memory.cross_attention_cache if crossed else memory.self_attention_cache
            key, value = part.update(key, value, self.layer_idx)
            if crossed and isinstance(memory, EncoderDecoderCache):
                memory.is_updated[self.layer_idx] = True
        return key, value

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        encoder_hidden_states: Tensor | None = None,
        past_key_values: Cache | None = None,
    ) -> tuple[Tensor, Tensor]:
        shape = (*hidden_states.shape[:-1], -1, self.attention_head_size)
        query = self.query(hidden_states).view(shape).transpose(1, 2)
        crossed = encoder_hidden_states is not None
        source = encoder_hidden_states if crossed else hidden_states
        key, value = self.keys_and_values(source, past_key_values, crossed)
        scores = torch.matmul(query, key.transpose(-1, -2))
        scores = scores / math.sqrt(self.attention_head_size)
        if attention_mask is not None and not crossed:
            scores = scores + attention_mask.to(scores.device)
        weights = F.softmax(scores, dim=-1)
        dropped = self.dropout(weights)
        context = torch.matmul(dropped, value)
        context = context.permute(0, 2, 1, 3).contiguous()
        context = context.view(*context.size()[:-2], -1)
        return context, weights


class BlipTextAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig, crossed: bool = False, layer_idx: int | None = None) -> None:
        super().__init__()
        self.self = BlipTextSelfAttention(config, crossed, layer_idx)
        self.output = AddNorm(config, config.hidden_size)

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        encoder_hidden_states: Tensor | None = None,
        past_key_values: Cache | None = None,
    ) -> tuple[Tensor, Tensor]:
        context, weights = self.self(
            hidden_states,
            attention_mask=attention_mask,
            encoder_hidden_states=encoder_hidden_states,
            past_key_values=past_key_values,
        )
        output = self.output(context, hidden_states)
        return output, weights


class BlipTextLayer(Block):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        self.attention = BlipTextAttention(config, layer_idx=layer_idx)
        if config.is_decoder:
            self.crossattention = BlipTextAttention(config, True, layer_idx)
        self.intermediate = Intermediate(config)
        self.output = AddNorm(config, config.intermediate_size)

    def feed_forward_chunk(self, attended: Tensor) -> Tensor:
        more = self.intermediate(attended)
        output = self.output(more, attended)
        return output

    def forward(
        self,
        hidden_states: Tensor,
        encoder_hidden_states: Tensor | None = None,
        attention_mask: Tensor | None = None,
        past_key_values: Cache | None = None,
    ) -> Tensor:
        attended, _ = self.attention(hidden_states, attention_mask=attention_mask, past_key_values=past_key_values)
        if encoder_hidden_states is not None:
            attended, _ = self.crossattention(
                attended, encoder_hidden_states=encoder_hidden_states, past_key_values=past_key_values
            )
        output = self.feed_forward_chunk(attended)
        return output


class BlipTextEncoder(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.config = config
        self.layer = nn.ModuleList(BlipTextLayer(config, index) for index in range(config.num_hidden_layers))
        self.gradient_checkpointing = False

    def forward(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None = None,
        encoder_hidden_states: Tensor | None = None,
        past_key_values: Cache | None = None,
        use_cache: bool | None = None,
    ) -> ModelOutput:
        if self.gradient_checkpointing and self.training:
            use_cache = False
        if use_cache and past_key_values is None:
            past_key_values = DynamicCache(config=self.config)
        if use_cache and isinstance(past_key_values, DynamicCache):
            past_key_values = EncoderDecoderCache(past_key_values, DynamicCache(config=self.config))
        for layer in self.layer:
            hidden_states = layer(
                hidden_states,
                encoder_hidden_states,
                attention_mask=attention_mask,
                past_key_values=past_key_values,
            )
        return BaseModelOutputWithPastAndCrossAttentions(
            last_hidden_state=hidden_states, past_key_values=past_key_values
        )


class BlipTextModel(PreTrainedModel):
    base_model_prefix = "bert"
    supports_sdpa = False

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.embeddings = GitEmbeddings(config)
        self.encoder = BlipTextEncoder(config)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.embeddings.word_embeddings

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        encoder_hidden_states: Tensor | None = None,
        past_key_values: Cache | None = None,
        use_cache: bool | None = None,
        is_decoder: bool | None = False,
        return_dict: bool | None = None,
    ) -> ModelOutput:
        use_cache = (self.config.use_cache if use_cache is None else use_cache) and is_decoder
        seen = past_key_values.get_seq_length() if past_key_values is not None else 0
        embedded = self.embeddings(
            input_ids=input_ids, position_ids=position_ids, inputs_embeds=inputs_embeds, past_key_values_length=seen
        )
        if is_decoder:
            attention_mask = create_causal_mask(self.config, embedded, attention_mask, past_key_values)
        else:
            attention_mask = create_bidirectional_mask(self.config, embedded, attention_mask)
        return self.encoder(
            embedded,
            attention_mask=attention_mask,
            encoder_hidden_states=encoder_hidden_states,
            past_key_values=past_key_values,
            use_cache=use_cache,
        )


class BlipTextLMHeadModel(PreTrainedModel):
    base_model_prefix = "bert"
    supports_sdpa = False
    tied = {
        "cls.predictions.decoder.weight": "bert.embeddings.word_embeddings.weight",
        "cls.predictions.decoder.bias": "cls.predictions.bias",
    }

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.bert = BlipTextModel(config)
        self.cls = MLMHead(config)
        self.label_smoothing = config.label_smoothing
        self.post_init()

    def get_output_embeddings(self) -> torch.nn.Module | None:
        return self.cls.predictions.decoder

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        is_decoder: bool | None = True,
        reduction: str | None = "mean",
        logits_to_keep: int | Tensor = 0,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> ModelOutput:
        if labels is not None:
            use_cache = False
        outputs = self.bert(input_ids, use_cache=use_cache, is_decoder=is_decoder, **kwargs)
        states = outputs.last_hidden_state
        kept = slice(-logits_to_keep, None) if isinstance(logits_to_keep, int) else logits_to_keep
        scores = self.cls(states[:, kept, :])
        loss = None
        if labels is not None:
            shifted = scores[:, :-1, :].contiguous()
            labels = labels[:, 1:].contiguous().to(shifted.device)
            flat = shifted.view(-1, self.config.vocab_size)
            loss = F.cross_entropy(flat, labels.view(-1), reduction=reduction, label_smoothing=self.label_smoothing)
            if reduction == "none":
                loss = loss.view(scores.size(0), -1).sum(1)
        return CausalLMOutputWithCrossAttentions(loss=loss, logits=scores, past_key_values=outputs.past_key_values)
