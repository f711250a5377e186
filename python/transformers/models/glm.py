"""glm: half of each head turns, by neighbours; gate and up are one projection."""

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer, FusedGatedMLP
from ..cores.decoder_heads import family
from ..parts.rope import rotate_part_by_pairs


class GlmConfig(DecoderConfig):
    model_type = "glm"
    vocab_size = 151552
    hidden_size = 4096
    intermediate_size = 13696
    num_hidden_layers = 40
    num_key_value_heads = 2
    head_dim = 128
    max_position_embeddings = 131072
    rms_norm_eps = 1.5625e-7
    pad_token_id = 151329
    attention_bias = True
    partial_rotary_factor = 0.5


class GlmAttention(Attention):
    out_biased = False
    rotate = staticmethod(rotate_part_by_pairs)


class GlmDecoderLayer(DecoderLayer):
    attention_class = GlmAttention
    mlp_class = FusedGatedMLP


family("Glm", GlmConfig, __name__, layer=GlmDecoderLayer)
