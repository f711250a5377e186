"""smollm3: Llama in which every fourth layer turns nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer
from ..cores.decoder_heads import family
from ..cores.windows import WindowedModel, layer_kinds

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class SmolLM3Config(DecoderConfig):
    model_type = "smollm3"
    default_theta = 2000000.0
    vocab_size = 128256
    hidden_size = 2048
    num_hidden_layers = 36
    num_attention_heads = 16
    num_key_value_heads = 4
    max_position_embeddings = 32768
    pad_token_id = 128004
    bos_token_id = 128000
    eos_token_id = 128001
    use_sliding_window = False
    sliding_window = None
    no_rope_layers = None
    no_rope_layer_interval = 4
    layer_types = None
    tie_word_embeddings = True

    def complete(self) -> None:
        super().complete()
        if self.no_rope_layers is None:
            every = self.no_rope_layer_interval
            self.no_rope_layers = [int((index + 1) % every != 0) for index in range(self.num_hidden_layers)]
        if self.layer_types is None:
            windowed = self.use_sliding_window and self.sliding_window is not None
            self.layer_types = layer_kinds(self, lambda index: windowed and not self.no_rope_layers[index])


class SmolLM3Attention(Attention):
    def options(self) -> dict:
        windowed = self.config.use_sliding_window and self.config.layer_types[self.layer_idx] == "sliding_attention"
        return {"sliding_window": self.config.sliding_window if windowed else None}

    def forward(
        self, hidden_states: Tensor, position_embeddings: tuple[Tensor, Tensor] | None = None, **kwargs: Any
    ) -> tuple[Tensor, Tensor | None]:
        turns = self.config.no_rope_layers[self.layer_idx]
        return super().forward(hidden_states, position_embeddings=position_embeddings if turns else None, **kwargs)


class SmolLM3DecoderLayer(DecoderLayer):
    attention_class = SmolLM3Attention


family("SmolLM3", SmolLM3Config, __name__, model=WindowedModel, layer=SmolLM3DecoderLayer)
