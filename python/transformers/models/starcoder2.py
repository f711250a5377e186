"""starcoder2: layer norms, a plain feed-forward part, biases, and a window if the config has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..cores.decoder import Attention, DecoderConfig, DecoderLayer
from ..cores.decoder_heads import family
from .mistral import MistralModel

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class Starcoder2Config(DecoderConfig):
    model_type = "starcoder2"
    vocab_size = 49152
    hidden_size = 3072
    intermediate_size = 12288
    num_hidden_layers = 30
    num_attention_heads = 24
    num_key_value_heads = 2
    hidden_act = "gelu_pytorch_tanh"
    max_position_embeddings = 4096
    initializer_range = 0.018042
    norm_epsilon = 1e-5
    bos_token_id = 50256
    eos_token_id = 50256
    sliding_window = None
    residual_dropout = 0.0
    embedding_dropout = 0.0
    use_bias = True
    tie_word_embeddings = True


class Starcoder2Attention(Attention):
    def build(self, config: PreTrainedConfig) -> None:
        self.biased = config.use_bias
        super().build(config)

    def options(self) -> dict:
        return {"sliding_window": self.config.sliding_window}

    def out_steps(self) -> tuple:
        return self.o_proj, lambda x: F.dropout(x, p=self.config.residual_dropout, training=self.training)


class Starcoder2MLP(nn.Module):
    def __init__(self, config: Starcoder2Config) -> None:
        super().__init__()
        self.c_fc = nn.Linear(config.hidden_size, config.intermediate_size, bias=config.use_bias)
        self.c_proj = nn.Linear(config.intermediate_size, config.hidden_size, bias=config.use_bias)
        self.act = ACT2FN[config.hidden_act]
        self.residual_dropout = config.residual_dropout

    def forward(self, x: Tensor) -> Tensor:
        x = self.c_fc(x)
        x = self.act(x)
        x = self.c_proj(x)
        x = F.dropout(x, p=self.residual_dropout, training=self.training)
        return x


class Starcoder2DecoderLayer(DecoderLayer):
    attention_class = Starcoder2Attention
    mlp_class = Starcoder2MLP
    norm_class = nn.LayerNorm
    norm_eps = "norm_epsilon"


class Starcoder2Model(MistralModel):
    def enter(self, embeds: Tensor) -> Any:
        return F.dropout(embeds, p=self.config.embedding_dropout, training=self.training)


family("Starcoder2", Starcoder2Config, __name__, model=Starcoder2Model, layer=Starcoder2DecoderLayer)
