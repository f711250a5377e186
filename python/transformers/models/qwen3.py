"""qwen3: norms on each head of queries and keys, no biases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.decoder import Attention, DecoderLayer
from ..cores.decoder_heads import family
from ..parts.norms import RMSNorm
from ..cores.windows import WindowedModel
from .qwen2 import Qwen2Config

if TYPE_CHECKING:
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class Qwen3Config(Qwen2Config):
    model_type = "qwen3"
    head_dim = 128


class Qwen3Attention(Attention):
    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        self.q_norm = RMSNorm(self.head_dim, eps=config.rms_norm_eps)
        self.k_norm = RMSNorm(self.head_dim, eps=config.rms_norm_eps)

    def project(self, x: Tensor) -> tuple:
        shape = (*x.shape[:-1], -1, self.head_dim)
        query = self.q_norm(self.q_proj(x).view(shape)).transpose(1, 2)
        key = self.k_norm(self.k_proj(x).view(shape)).transpose(1, 2)
        value = self.v_proj(x).view(shape).transpose(1, 2)
        return query, key, value


class Qwen3DecoderLayer(DecoderLayer):
    attention_class = Qwen3Attention


family("Qwen3", Qwen3Config, __name__, model=WindowedModel, layer=Qwen3DecoderLayer)
