"""fnet: an encoder that mixes tokens by a Fourier transform instead of attention. Its parameters are counted; it does not run yet."""

from torch import nn

from ..encoder import (
    AddNorm,
    Embeddings,
    EncoderConfig,
    Intermediate,
    MaskedLM,
    Pooler,
    QuestionAnswering,
    TokenClassification,
    family,
)
from ..model import PreTrainedModel


class FNetConfig(EncoderConfig):
    model_type = "fnet"
    vocab_size = 32000
    hidden_act = "gelu_new"
    type_vocab_size = 4
    use_tpu_fourier_optimizations = False
    tpu_short_seq_length = 512
    pad_token_id = 3
    bos_token_id = 1
    eos_token_id = 2


class FNetEmbeddings(Embeddings):
    def __init__(self, config):
        super().__init__(config)
        self.projection = nn.Linear(config.hidden_size, config.hidden_size)


class FourierAdd(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)


class FourierPart(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.output = FourierAdd(config)


class FNetLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.fourier = FourierPart(config)
        self.intermediate = Intermediate(config)
        self.output = AddNorm(config, config.intermediate_size)


class FNetEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer = nn.ModuleList(FNetLayer(config) for _ in range(config.num_hidden_layers))


class FNetBase(PreTrainedModel):
    supports_sdpa = False

    def __init__(self, config, add_pooling_layer=True):
        super().__init__(config)
        if config.use_tpu_fourier_optimizations:
            raise NotImplementedError("vramscope's fnet has no use_tpu_fourier_optimizations")
        self.embeddings = FNetEmbeddings(config)
        self.encoder = FNetEncoder(config)
        self.pooler = Pooler(config) if add_pooling_layer else None
        self.post_init()

    def forward(self, *_, **__):
        raise NotImplementedError("vramscope counts the parameters of fnet, but does not run it yet")


class FNetMaskedLM(MaskedLM):
    pooling = True


class FNetTokenClassification(TokenClassification):
    pooling = True


class FNetQuestionAnswering(QuestionAnswering):
    pooling = True


family(
    *("FNet", "fnet", FNetConfig, __name__),
    model=FNetBase,
    heads={
        "AutoModelForMaskedLM": ("ForMaskedLM", FNetMaskedLM),
        "AutoModelForCausalLM": None,
        "AutoModelForTokenClassification": ("ForTokenClassification", FNetTokenClassification),
        "AutoModelForQuestionAnswering": ("ForQuestionAnswering", FNetQuestionAnswering),
    },
    head_fields={"supports_sdpa": False},
)
