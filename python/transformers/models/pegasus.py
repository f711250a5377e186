"""pegasus: norms before the parts and at the end, positions that are not trained, words scaled outside their table."""

from ..cores.seq2seq import Seq2SeqConfig, Seq2SeqDecoder, Seq2SeqDecoderLayer, Seq2SeqEncoder, Seq2SeqEncoderLayer
from ..cores.seq2seq_embeddings import FixedPositions
from ..cores.seq2seq_heads import family


class PegasusConfig(Seq2SeqConfig):
    model_type = "pegasus"
    pad_token_id = 0
    eos_token_id = 1
    decoder_start_token_id = 0
    forced_eos_token_id = 1


class PegasusEncoderLayer(Seq2SeqEncoderLayer):
    norm_first = True
    always_limits = True


class PegasusDecoderLayer(Seq2SeqDecoderLayer):
    norm_first = True


class PegasusEncoder(Seq2SeqEncoder):
    layer_class = PegasusEncoderLayer
    positions_class = FixedPositions
    scales_in_table = False
    norms_embedding = False
    norms_end = True


class PegasusDecoder(Seq2SeqDecoder):
    layer_class = PegasusDecoderLayer
    positions_class = FixedPositions
    scales_in_table = False
    norms_embedding = False
    norms_end = True
    keeps_mask = True


family(
    *("Pegasus", PegasusConfig, __name__),
    encoder=PegasusEncoder,
    decoder=PegasusDecoder,
    heads=("AutoModelForSeq2SeqLM", "AutoModelForCausalLM"),
)
