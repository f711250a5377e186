"""xlnet: an encoder with relative attention in two streams. Its parameters are counted; it does not run yet."""

import torch
from torch import nn

from ..config import PreTrainedConfig
from ..model import PreTrainedModel, register, register_classes
from .electra import SequenceSummary


class XLNetConfig(PreTrainedConfig):
    model_type = "xlnet"
    attribute_map = {
        "n_token": "vocab_size",
        "hidden_size": "d_model",
        "num_attention_heads": "n_head",
        "num_hidden_layers": "n_layer",
    }
    vocab_size = 32000
    d_model = 1024
    n_layer = 24
    n_head = 16
    d_inner = 4096
    d_head = None
    ff_activation = "gelu"
    attn_type = "bi"
    initializer_range = 0.02
    layer_norm_eps = 1e-12
    dropout = 0.1
    mem_len = 512
    reuse_len = None
    use_mems_eval = True
    use_mems_train = False
    bi_data = False
    clamp_len = -1
    same_length = False
    summary_type = "last"
    summary_use_proj = True
    summary_activation = "tanh"
    summary_last_dropout = 0.1
    start_n_top = 5
    end_n_top = 5
    pad_token_id = 5
    bos_token_id = 1
    eos_token_id = 2

    def complete(self):
        self.d_head = self.d_head or self.d_model // self.n_head


class XLNetRelativeAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        heads = (config.n_head, config.d_head)
        for name in "qkvor":
            setattr(self, name, nn.Parameter(torch.empty(config.d_model, *heads)))
        for name in ("r_r_bias", "r_s_bias", "r_w_bias"):
            setattr(self, name, nn.Parameter(torch.empty(*heads)))
        self.seg_embed = nn.Parameter(torch.empty(2, *heads))
        self.layer_norm = nn.LayerNorm(config.d_model, eps=config.layer_norm_eps)


class XLNetFeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layer_norm = nn.LayerNorm(config.d_model, eps=config.layer_norm_eps)
        self.layer_1 = nn.Linear(config.d_model, config.d_inner)
        self.layer_2 = nn.Linear(config.d_inner, config.d_model)


class XLNetLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.rel_attn = XLNetRelativeAttention(config)
        self.ff = XLNetFeedForward(config)


class XLNetModel(PreTrainedModel):
    base_model_prefix = "transformer"
    supports_sdpa = False
    supports_gradient_checkpointing = False

    def __init__(self, config):
        super().__init__(config)
        self.word_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.mask_emb = nn.Parameter(torch.empty(1, 1, config.d_model))
        self.layer = nn.ModuleList(XLNetLayer(config) for _ in range(config.n_layer))
        self.post_init()

    def get_input_embeddings(self):
        return self.word_embedding

    def forward(self, *_, **__):
        raise NotImplementedError("vramscope counts the parameters of xlnet, but does not run it yet")


class XLNetHead(PreTrainedModel):
    base_model_prefix = "transformer"
    supports_sdpa = False
    supports_gradient_checkpointing = False

    def __init__(self, config):
        super().__init__(config)
        self.transformer = XLNetModel(config)
        self.build(config)
        self.post_init()

    def forward(self, *args, **kwargs):
        return self.transformer(*args, **kwargs)


class XLNetLMHeadModel(XLNetHead):
    tied = {"lm_loss.weight": "transformer.word_embedding.weight"}

    def build(self, config):
        self.lm_loss = nn.Linear(config.d_model, config.vocab_size, bias=True)

    def get_output_embeddings(self):
        return self.lm_loss


class XLNetForSequenceClassification(XLNetHead):
    def build(self, config):
        self.sequence_summary = SequenceSummary(config)
        self.logits_proj = nn.Linear(config.d_model, config.num_labels)


class XLNetForMultipleChoice(XLNetHead):
    def build(self, config):
        self.sequence_summary = SequenceSummary(config)
        self.logits_proj = nn.Linear(config.d_model, 1)


class XLNetForTokenClassification(XLNetHead):
    def build(self, config):
        self.classifier = nn.Linear(config.d_model, config.num_labels)


class XLNetForQuestionAnsweringSimple(XLNetHead):
    def build(self, config):
        self.qa_outputs = nn.Linear(config.d_model, config.num_labels)


class XLNetStarts(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.dense = nn.Linear(size, 1)


class XLNetEnds(nn.Module):
    def __init__(self, size, eps):
        super().__init__()
        self.dense_0 = nn.Linear(2 * size, size)
        self.LayerNorm = nn.LayerNorm(size, eps=eps)
        self.dense_1 = nn.Linear(size, 1)


class XLNetAnswers(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.dense_0 = nn.Linear(2 * size, size)
        self.dense_1 = nn.Linear(size, 1, bias=False)


class XLNetForQuestionAnswering(XLNetHead):
    def build(self, config):
        self.start_logits = XLNetStarts(config.d_model)
        self.end_logits = XLNetEnds(config.d_model, config.layer_norm_eps)
        self.answer_class = XLNetAnswers(config.d_model)


register(
    XLNetConfig,
    AutoModel=XLNetModel,
    AutoModelForPreTraining=XLNetLMHeadModel,
    AutoModelForCausalLM=XLNetLMHeadModel,
    AutoModelForSequenceClassification=XLNetForSequenceClassification,
    AutoModelForMultipleChoice=XLNetForMultipleChoice,
    AutoModelForTokenClassification=XLNetForTokenClassification,
    AutoModelForQuestionAnswering=XLNetForQuestionAnsweringSimple,
)
register_classes(XLNetForQuestionAnswering)
