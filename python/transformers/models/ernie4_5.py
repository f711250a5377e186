"""ernie4_5: Llama whose queries and keys are turned by neighbours, in float32."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer
from ..cores.decoder_heads import family
from ..parts.rope import WideRotaryEmbedding, rotate_wide_by_pairs

if TYPE_CHECKING:
    from transformers.configuration_utils import PreTrainedConfig


class Ernie4_5Config(DecoderConfig):
    model_type = "ernie4_5"
    attribute_map = {"attention_bias": "use_bias", "mlp_bias": "use_bias"}
    default_theta = 500000.0
    vocab_size = 103424
    hidden_size = 1024
    intermediate_size = 3072
    num_hidden_layers = 18
    num_attention_heads = 16
    num_key_value_heads = 2
    max_position_embeddings = 131072
    rms_norm_eps = 1e-5
    pad_token_id = 0
    bos_token_id = 1
    eos_token_id = 2
    tie_word_embeddings = True
    use_bias = False
    head_dim = 128


class Ernie4_5Attention(Attention):
    rotate = staticmethod(rotate_wide_by_pairs)

    def build(self, config: PreTrainedConfig) -> None:
        self.attention_dropout = 0.0
        self.biased = config.use_bias
        super().build(config)


class Ernie4_5DecoderLayer(DecoderLayer):
    attention_class = Ernie4_5Attention


family("Ernie4_5", Ernie4_5Config, __name__, layer=Ernie4_5DecoderLayer, rotary=WideRotaryEmbedding, heads=False)
