"""xlm-roberta: roberta with another vocabulary."""

from ..cores.encoder import EncoderConfig
from ..cores.encoder_heads import family
from .roberta import HEADS, TIED, RobertaEmbeddings, RobertaMultipleChoice


class XLMRobertaConfig(EncoderConfig):
    model_type = "xlm-roberta"
    pad_token_id = 1
    bos_token_id = 0
    eos_token_id = 2


class XLMRobertaMultipleChoice(RobertaMultipleChoice):
    """Made without the pooler that it asks for, so it can be built, but not run."""

    pooling = False


family(
    *("XLMRoberta", "roberta", XLMRobertaConfig, __name__),
    heads={**HEADS, "AutoModelForMultipleChoice": ("ForMultipleChoice", XLMRobertaMultipleChoice)},
    tied=TIED,
    head_fields={"model_first": False},
    embeddings_class=RobertaEmbeddings,
)
