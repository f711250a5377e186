"""gemma: scaled embeddings, norms centred at one, tanh GELU in the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer, DecoderModel
from ..cores.decoder_heads import family
from ..parts.norms import CentredRMSNorm
from ..parts.scaled import ScaledEmbedding

if TYPE_CHECKING:
    from transformers.configuration_utils import PreTrainedConfig


class GemmaConfig(DecoderConfig):
    model_type = "gemma"
    vocab_size = 256000
    hidden_size = 3072
    intermediate_size = 24576
    num_hidden_layers = 28
    num_attention_heads = 16
    num_key_value_heads = 16
    head_dim = 256
    hidden_act = "gelu_pytorch_tanh"
    max_position_embeddings = 8192
    pad_token_id = 0
    eos_token_id = 1
    bos_token_id = 2
    tie_word_embeddings = True
    use_bidirectional_attention = None


class GemmaAttention(Attention):
    def __init__(self, config: GemmaConfig, layer_idx: int) -> None:
        super().__init__(config, layer_idx)
        self.is_causal = not config.use_bidirectional_attention


class GemmaDecoderLayer(DecoderLayer):
    attention_class = GemmaAttention
    norm_class = CentredRMSNorm


class GemmaModel(DecoderModel):
    layer_class = GemmaDecoderLayer

    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        self.embed_tokens = ScaledEmbedding(
            config.vocab_size, config.hidden_size, self.padding_idx, embed_scale=config.hidden_size**0.5
        )


family("Gemma", GemmaConfig, __name__, model=GemmaModel)
