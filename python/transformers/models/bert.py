"""bert: the encoder core as it is."""

from ..cores.encoder import EncoderConfig
from ..cores.encoder_heads import family


class BertConfig(EncoderConfig):
    model_type = "bert"


family("Bert", "bert", BertConfig, __name__)
