"""m2m_100: norms before the parts and at the end, positions that skip padding, a memory in training, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cache_utils import DynamicCache, EncoderDecoderCache
from ..cores.seq2seq import Seq2SeqConfig, Seq2SeqDecoder, Seq2SeqDecoderLayer, Seq2SeqEncoder, Seq2SeqEncoderLayer
from ..cores.seq2seq_embeddings import PaddedPositions
from ..cores.seq2seq_heads import family

if TYPE_CHECKING:
    from torch import Tensor


class M2M100Config(Seq2SeqConfig):
    model_type = "m2m_100"
    vocab_size = 128112
    encoder_layerdrop = 0.05
    decoder_layerdrop = 0.05
    activation_function = "relu"
    attention_dropout = 0.1
    scale_embedding = True
    pad_token_id = 1
    bos_token_id = 0
    eos_token_id = 2
    decoder_start_token_id = 2


class M2M100EncoderLayer(Seq2SeqEncoderLayer):
    norm_first = True
    always_limits = True


class M2M100DecoderLayer(Seq2SeqDecoderLayer):
    norm_first = True


class M2M100Encoder(Seq2SeqEncoder):
    layer_class = M2M100EncoderLayer
    positions_class = PaddedPositions
    norms_embedding = False
    norms_end = True


class M2M100Decoder(Seq2SeqDecoder):
    layer_class = M2M100DecoderLayer
    positions_class = PaddedPositions
    norms_embedding = False
    norms_end = True
    makes_positions = False

    def new_cache(self, encoder_states: Tensor) -> EncoderDecoderCache:
        return EncoderDecoderCache(DynamicCache(config=self.config), DynamicCache(config=self.config))


family(
    *("M2M100", M2M100Config, __name__),
    encoder=M2M100Encoder,
    decoder=M2M100Decoder,
    heads=("AutoModelForSeq2SeqLM",),
    lm_fields={"adds_bias": False, "drops_cache": False},
)
