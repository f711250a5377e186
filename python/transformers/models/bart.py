"""bart: the encoder-decoder core as it is; the decoder reads the input, shifted, if it is given nothing else."""

from ..cores.seq2seq import Seq2SeqConfig, Seq2SeqDecoder, Seq2SeqEncoder
from ..cores.seq2seq_heads import HEADS, family


class BartConfig(Seq2SeqConfig):
    model_type = "bart"
    num_labels = 3
    pad_token_id = 1
    bos_token_id = 0
    eos_token_id = 2
    decoder_start_token_id = 2
    forced_eos_token_id = 2


class BartEncoder(Seq2SeqEncoder):
    layers_know_index = True


class BartDecoder(Seq2SeqDecoder):
    pass


family(
    *("Bart", BartConfig, __name__),
    encoder=BartEncoder,
    decoder=BartDecoder,
    model_fields={"shifts_input": True},
    heads=HEADS,
    also=("AutoModelForPreTraining", "AutoModelForMaskedLM"),
    lm_fields={"bias_apart": True},
)
