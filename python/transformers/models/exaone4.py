"""exaone4: norms after each part and on each head of queries and keys; only windowed layers know positions, if there are windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.decoder import Attention, DecoderConfig
from ..cores.decoder_heads import family
from ..parts.norms import RMSNorm
from ..cores.windows import WindowedModel, layer_kinds
from .olmo2 import PostNormLayer

if TYPE_CHECKING:
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class Exaone4Config(DecoderConfig):
    model_type = "exaone4"
    vocab_size = 102400
    intermediate_size = 16384
    num_key_value_heads = 32
    rms_norm_eps = 1e-5
    bos_token_id = 0
    eos_token_id = 2
    sliding_window = 4096
    sliding_window_pattern = 4
    layer_types = None

    def complete(self) -> None:
        super().complete()
        if self.layer_types is None:
            every = 0 if self.sliding_window is None else self.sliding_window_pattern
            self.layer_types = layer_kinds(self, lambda i: every and (i + 1) % every)


class Exaone4Attention(Attention):
    biased = False

    def build(self, config: PreTrainedConfig) -> None:
        super().build(config)
        self.q_norm = RMSNorm(self.head_dim, eps=config.rms_norm_eps)
        self.k_norm = RMSNorm(self.head_dim, eps=config.rms_norm_eps)
        self.is_sliding = config.layer_types[self.layer_idx] == "sliding_attention"

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        query, key, value = super().project(x)
        query = self.q_norm(query)
        key = self.k_norm(key)
        return query, key, value

    def rotate(self, query: Tensor, key: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor]:
        if self.config.sliding_window is None or self.is_sliding:
            query, key = super().rotate(query, key, cos, sin)
        return query, key

    def options(self) -> dict[str, int]:
        return {"sliding_window": self.config.sliding_window if self.is_sliding else None}


class Exaone4DecoderLayer(PostNormLayer):
    attention_class = Exaone4Attention
    norm_class = RMSNorm


family("Exaone4", Exaone4Config, __name__, model=WindowedModel, layer=Exaone4DecoderLayer)
