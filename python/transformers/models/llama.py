"""llama: the decoder core as it is."""

from ..cores.decoder import DecoderConfig
from ..cores.decoder_heads import family


class LlamaConfig(DecoderConfig):
    model_type = "llama"
    bos_token_id = 1
    eos_token_id = 2
    pretraining_tp = 1


family("Llama", LlamaConfig, __name__)
