"""longformer: an encoder that attends within windows, and globally from a few tokens. Its parameters are counted; it does not run yet."""

from torch import nn

from ..encoder import Encoder, EncoderAttention, EncoderConfig, EncoderLayer, MultipleChoice, SelfAttention, TokenClassification, family
from .roberta import TIED, RobertaClassificationHead, RobertaMaskedLM, RobertaSequenceClassification


class LongformerConfig(EncoderConfig):
    model_type = "longformer"
    attention_window = 512
    sep_token_id = 2
    pad_token_id = 1
    bos_token_id = 0
    eos_token_id = 2


class LongformerEmbeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        size, padding = config.hidden_size, config.pad_token_id
        self.word_embeddings = nn.Embedding(config.vocab_size, size, padding_idx=padding)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, size)
        self.LayerNorm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, size, padding_idx=padding)

    def forward(self, *_, **__):
        raise NotImplementedError("vramscope counts the parameters of longformer, but does not run it yet")


class LongformerSelfAttention(SelfAttention):
    """A second set of projections serves the tokens that see everything."""

    def __init__(self, config, is_causal=False, layer_idx=None):
        super().__init__(config, is_causal, layer_idx)
        self.query_global = nn.Linear(config.hidden_size, config.hidden_size)
        self.key_global = nn.Linear(config.hidden_size, config.hidden_size)
        self.value_global = nn.Linear(config.hidden_size, config.hidden_size)


class LongformerAttention(EncoderAttention):
    self_class = LongformerSelfAttention


class LongformerLayer(EncoderLayer):
    attention_class = LongformerAttention


class LongformerEncoder(Encoder):
    layer_class = LongformerLayer


class LongformerSequenceClassification(RobertaSequenceClassification):
    model_first = True

    def build(self, config):
        self.classifier = RobertaClassificationHead(config, nn.Dropout(config.hidden_dropout_prob))


family(
    *("Longformer", "longformer", LongformerConfig, __name__),
    heads={
        "AutoModelForPreTraining": ("ForMaskedLM", RobertaMaskedLM),
        "AutoModelForMaskedLM": ("ForMaskedLM", RobertaMaskedLM),
        "AutoModelForCausalLM": None,
        "AutoModelForNextSentencePrediction": None,
        "AutoModelForSequenceClassification": ("ForSequenceClassification", LongformerSequenceClassification),
        "AutoModelForMultipleChoice": ("ForMultipleChoice", MultipleChoice),
        "AutoModelForTokenClassification": ("ForTokenClassification", TokenClassification),
    },
    tied={name: place.replace("roberta.", "longformer.") for name, place in TIED.items()},
    head_fields={"supports_sdpa": False},
    supports_sdpa=False,
    embeddings_class=LongformerEmbeddings,
    encoder_class=LongformerEncoder,
)
