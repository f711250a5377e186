"""mbart: bart with norms before the parts and at the end; a sequence's last token comes first in what the decoder reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cores.seq2seq import Seq2SeqConfig, Seq2SeqDecoder, Seq2SeqDecoderLayer, Seq2SeqEncoder, Seq2SeqEncoderLayer
from ..cores.seq2seq_heads import HEADS, family

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class MBartConfig(Seq2SeqConfig):
    model_type = "mbart"
    pad_token_id = 1
    bos_token_id = 0
    eos_token_id = 2
    forced_eos_token_id = 2


def rotate_right(config: PreTrainedConfig, input_ids: Tensor) -> Any:
    turned = input_ids.clone()
    turned.masked_fill_(turned == -100, config.pad_token_id)
    last = (turned.ne(config.pad_token_id).sum(dim=1) - 1).unsqueeze(-1)
    start = turned.gather(1, last).squeeze()
    turned[:, 1:] = turned[:, :-1].clone()
    turned[:, 0] = start
    return turned


class MBartEncoderLayer(Seq2SeqEncoderLayer):
    norm_first = True
    always_limits = True


class MBartDecoderLayer(Seq2SeqDecoderLayer):
    norm_first = True


class MBartEncoder(Seq2SeqEncoder):
    layer_class = MBartEncoderLayer
    norms_end = True


class MBartDecoder(Seq2SeqDecoder):
    layer_class = MBartDecoderLayer
    norms_end = True
    keeps_mask = True
    keeps_position_ids = False


family(
    *("MBart", MBartConfig, __name__),
    encoder=MBartEncoder,
    decoder=MBartDecoder,
    model_fields={"shifts_input": True, "shift": staticmethod(rotate_right)},
    heads=HEADS,
    also=("AutoModelForMaskedLM",),
)
