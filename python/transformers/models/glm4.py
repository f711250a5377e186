"""glm4: glm with the results of both parts normalised, too, before they are added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.decoder_heads import family
from .glm import GlmConfig, GlmDecoderLayer

if TYPE_CHECKING:
    from torch import Tensor

    from transformers.configuration_utils import PreTrainedConfig


class Glm4Config(GlmConfig):
    model_type = "glm4"


class Glm4DecoderLayer(GlmDecoderLayer):
    def build_norms(self, config: PreTrainedConfig) -> None:
        super().build_norms(config)
        self.post_self_attn_layernorm = self.norm(config)
        self.post_mlp_layernorm = self.norm(config)

    def forward(self, hidden_states: Tensor, **kwargs: Tensor | tuple[Tensor, Tensor] | None) -> Tensor:
        residual = hidden_states
        hidden_states = self.input_layernorm(hidden_states)
        hidden_states, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        hidden_states = self.post_self_attn_layernorm(hidden_states)
        hidden_states = residual + hidden_states
        residual = hidden_states
        hidden_states = self.post_attention_layernorm(hidden_states)
        hidden_states = self.mlp(hidden_states)
        hidden_states = self.post_mlp_layernorm(hidden_states)
        hidden_states = residual + hidden_states
        return hidden_states


family("Glm4", Glm4Config, __name__, layer=Glm4DecoderLayer)
