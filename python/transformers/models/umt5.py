"""umt5: t5 whose layers have a bias of their own each, and whose masks are made of ones that the model adds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from ..masking_utils import create_bidirectional_mask, create_causal_mask
from ..cores.relative import CrossAttentionPart, RelativeAttention, RelativeBlock, RelativeConfig, SelfAttentionPart
from ..cores.relative_models import ConditionalGeneration, Stack
from ..cores.relative_heads import family

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class UMT5Config(RelativeConfig):
    model_type = "umt5"
    vocab_size = 250112
    d_ff = 1024
    num_layers = 8
    num_heads = 6
    feed_forward_proj = "gated-gelu"
    decoder_start_token_id = 0


class UMT5Attention(RelativeAttention):
    shares_bias = False

    def large(self, distance: Any, exact: Any, count: int) -> Any:
        ratio = torch.log(distance.float() / exact) / math.log(self.max_distance / exact)
        ratio = ratio * (count - exact)
        return exact + ratio.to(torch.long)

    def project(self, source: Any) -> tuple:
        shape = (source.shape[0], -1, self.o.in_features // self.key_value_proj_dim, self.key_value_proj_dim)
        key = self.k(source)
        value = self.v(source)
        return key.view(shape).transpose(1, 2), value.view(shape).transpose(1, 2)


class UMT5SelfAttentionPart(SelfAttentionPart):
    attention_class = UMT5Attention


class UMT5CrossAttentionPart(CrossAttentionPart):
    attention_class = UMT5Attention


class UMT5Block(RelativeBlock):
    self_class = UMT5SelfAttentionPart
    cross_class = UMT5CrossAttentionPart


class UMT5Stack(Stack):
    block_class = UMT5Block

    def make_block(self, config: PreTrainedConfig, index: int) -> Any:
        return self.block_class(config, True, index)

    def masks(
        self, embeds: Tensor, mask: Tensor | None, cache: Any, encoder_states: Tensor, encoder_mask: Any
    ) -> tuple:
        batch, length = embeds.shape[:2]
        seen = cache.get_seq_length() if cache is not None else 0
        total = None
        if mask is None:
            total = seen + length
            mask = torch.ones(batch, total, device=embeds.device)
        if self.is_decoder:
            own = create_causal_mask(self.config, embeds, mask, cache)
        else:
            own = mask[:, None, None, :]
            own = own.to(dtype=embeds.dtype)
            own = (1.0 - own) * torch.finfo(embeds.dtype).min
        crossed = None
        if self.is_decoder and encoder_mask is not None:
            crossed = create_bidirectional_mask(self.config, embeds, encoder_mask, encoder_states)
        return (mask, seen, total), own, crossed

    def biases(self, outputs: Any, encoder_states: Tensor, with_weights: Any) -> tuple:
        return None, None, (outputs[1], outputs[2] if len(outputs) > 2 else None) if with_weights else None


class UMT5Generation(ConditionalGeneration):
    def scales(self) -> Any:
        return self.config.tie_word_embeddings


family("UMT5", UMT5Config, __name__, stack=UMT5Stack, also=(), lm=UMT5Generation)
