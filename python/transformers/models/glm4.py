"""glm4: glm with the results of both parts normalised, too, before they are added."""

from ..cores.decoder_heads import family
from ..cores.sandwich import SandwichLayer
from .glm import GlmConfig, GlmDecoderLayer


class Glm4Config(GlmConfig):
    model_type = "glm4"


class Glm4DecoderLayer(SandwichLayer, GlmDecoderLayer):
    norm_names = (
        "input_layernorm",
        "post_self_attn_layernorm",
        "post_attention_layernorm",
        "post_mlp_layernorm",
    )


family("Glm4", Glm4Config, __name__, layer=Glm4DecoderLayer)
