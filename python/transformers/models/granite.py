"""granite: Llama with four factors, on embeddings, on scores, on what each part adds, and on logits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer, DecoderModel
from ..cores.decoder_heads import CausalLM, family

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput
    from transformers.configuration_utils import PreTrainedConfig


class GraniteConfig(DecoderConfig):
    model_type = "granite"
    bos_token_id = 1
    eos_token_id = 2
    embedding_multiplier = 1.0
    logits_scaling = 1.0
    residual_multiplier = 1.0
    attention_multiplier = 1.0


class GraniteAttention(Attention):
    def scale(self, config: PreTrainedConfig) -> Any:
        return config.attention_multiplier


class GraniteDecoderLayer(DecoderLayer):
    attention_class = GraniteAttention

    def __init__(self, config: GraniteConfig, layer_idx: int) -> None:
        super().__init__(config, layer_idx)
        self.residual_multiplier = config.residual_multiplier

    def forward(self, hidden_states: Tensor, **kwargs: Any) -> Tensor:
        residual = hidden_states
        hidden_states = self.input_layernorm(hidden_states)
        hidden_states, _ = self.self_attn(hidden_states=hidden_states, **kwargs)
        hidden_states = residual + hidden_states * self.residual_multiplier
        residual = hidden_states
        hidden_states = self.post_attention_layernorm(hidden_states)
        hidden_states = self.mlp(hidden_states)
        hidden_states = residual + hidden_states * self.residual_multiplier
        return hidden_states


class GraniteModel(DecoderModel):
    def embed(self, input_ids: Tensor) -> Any:
        return self.embed_tokens(input_ids) * self.config.embedding_multiplier

    def forward(
        self, input_ids: Tensor | None = None, inputs_embeds: Tensor | None = None, **kwargs: Any
    ) -> ModelOutput:
        if inputs_embeds is not None:
            inputs_embeds = inputs_embeds * self.config.embedding_multiplier
        return super().forward(input_ids, inputs_embeds=inputs_embeds, **kwargs)


class GraniteLM(CausalLM):
    def logit_steps(self) -> tuple:
        return (lambda logits: logits / self.config.logits_scaling,)


family("Granite", GraniteConfig, __name__, model=GraniteModel, lm=GraniteLM, layer=GraniteDecoderLayer, heads=False)
