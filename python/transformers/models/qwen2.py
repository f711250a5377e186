"""qwen2: queries, keys and values have biases; some layers may see a window only."""

from __future__ import annotations

from ..cores.decoder import Attention, DecoderConfig, DecoderLayer
from ..cores.decoder_heads import family
from ..cores.windows import WindowedModel, layer_kinds


class Qwen2Config(DecoderConfig):
    model_type = "qwen2"
    vocab_size = 151936
    intermediate_size = 22016
    num_key_value_heads = 32
    max_position_embeddings = 32768
    use_sliding_window = False
    sliding_window = 4096
    max_window_layers = 28
    layer_types = None

    def complete(self) -> None:
        super().complete()
        self.sliding_window = self.sliding_window if self.use_sliding_window else None
        if self.layer_types is None:
            self.layer_types = layer_kinds(
                self, lambda i: self.sliding_window is not None and i >= self.max_window_layers
            )


class Qwen2Attention(Attention):
    biased = True
    out_biased = False


class Qwen2DecoderLayer(DecoderLayer):
    attention_class = Qwen2Attention


family("Qwen2", Qwen2Config, __name__, model=WindowedModel, layer=Qwen2DecoderLayer)
