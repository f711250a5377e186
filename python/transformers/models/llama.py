"""llama: the decoder core as it is."""

from ..decoder import DecoderConfig
from ..decoder_heads import family


class LlamaConfig(DecoderConfig):
    model_type = "llama"
    bos_token_id = 1
    eos_token_id = 2
    pretraining_tp = 1


family("Llama", LlamaConfig, __name__)
