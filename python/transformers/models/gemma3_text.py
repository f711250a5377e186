"""gemma3_text: gemma2 with norms on queries and keys instead of capped scores, and other rotary angles in windowed layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.decoder_heads import family
from ..parts.norms import CentredRMSNorm
from ..parts.rope import LayeredRotaryEmbedding
from ..cores.windows import layer_kinds
from .gemma2 import CappedLM, Gemma2Attention, Gemma2Config, Gemma2DecoderLayer, Gemma2Model

if TYPE_CHECKING:
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class Gemma3TextConfig(Gemma2Config):
    model_type = "gemma3_text"
    vocab_size = 262208
    max_position_embeddings = 131072
    final_logit_softcapping = None
    attn_logit_softcapping = None
    use_bidirectional_attention = False
    sliding_window_pattern = 6
    rope_local_base_freq = 10000.0
    default_theta = 1000000.0

    def complete(self) -> None:
        if self.use_bidirectional_attention:
            self.sliding_window = self.sliding_window // 2 + 1
        if self.layer_types is None:
            self.layer_types = layer_kinds(self, lambda i: (i + 1) % self.sliding_window_pattern)

    def _complete_rope(self, scaling, theta):
        parts = {
            kind: dict((self.rope_parameters or {}).get(kind) or {}) for kind in ("full_attention", "sliding_attention")
        }
        parts["full_attention"].update(scaling or {})
        self._complete_rope_part(parts["full_attention"], theta)
        self._complete_rope_part(parts["sliding_attention"], self.rope_local_base_freq)
        self.rope_parameters = parts


class Gemma3Attention(Gemma2Attention):
    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        self.q_norm = CentredRMSNorm(config.head_dim, eps=config.rms_norm_eps)
        self.k_norm = CentredRMSNorm(config.head_dim, eps=config.rms_norm_eps)

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        query, key, value = super().project(x)
        query = self.q_norm(query)
        key = self.k_norm(key)
        return query, key, value

    def options(self) -> dict:
        return {"sliding_window": self.sliding_window}


class Gemma3DecoderLayer(Gemma2DecoderLayer):
    attention_class = Gemma3Attention


class Gemma3TextModel(Gemma2Model):
    layer_class = Gemma3DecoderLayer
    rotary_class = LayeredRotaryEmbedding

    def positions(self, states: Tensor, position_ids: Tensor) -> dict[str, tuple[Tensor, Tensor]]:
        return {kind: self.rotary_emb(states, position_ids, kind) for kind in set(self.config.layer_types)}

    def position_of(self, positions: dict[str, tuple[Tensor, Tensor]], index: int) -> tuple[Tensor, Tensor]:
        return positions[self.config.layer_types[index]]


family("Gemma3", Gemma3TextConfig, __name__, model=Gemma3TextModel, lm=CappedLM)
