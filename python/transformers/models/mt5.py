"""mt5: t5 with gated feed-forward parts and a larger vocabulary."""

from __future__ import annotations

from ..cores.relative import RelativeConfig
from ..cores.relative_models import ConditionalGeneration
from ..cores.relative_heads import family


class MT5Config(RelativeConfig):
    model_type = "mt5"
    vocab_size = 250112
    d_ff = 1024
    num_layers = 8
    num_heads = 6
    feed_forward_proj = "gated-gelu"
    decoder_start_token_id = 0


class MT5Generation(ConditionalGeneration):
    def scales(self) -> bool:
        return False


family("MT5", MT5Config, __name__, lm=MT5Generation)
