"""led: bart with an encoder that attends within windows. Its parameters are counted; it does not run yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..modeling_utils import PreTrainedModel, register, register_classes
from ..cores.seq2seq import Seq2SeqConfig, Seq2SeqDecoder, Seq2SeqEncoder, Seq2SeqEncoderLayer
from ..cores.seq2seq_heads import Seq2SeqModel

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput
    from transformers.configuration_utils import PreTrainedConfig


class LEDConfig(Seq2SeqConfig):
    model_type = "led"
    attribute_map = {
        **Seq2SeqConfig.attribute_map,
        "attention_probs_dropout_prob": "attention_dropout",
        "initializer_range": "init_std",
    }
    max_encoder_position_embeddings = 16384
    max_decoder_position_embeddings = 1024
    decoder_start_token_id = 2
    pad_token_id = 1
    bos_token_id = 0
    eos_token_id = 2
    attention_window = 512


class LEDWindowAttention(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        for name in ("query", "key", "value", "query_global", "key_global", "value_global"):
            setattr(self, name, nn.Linear(size, size))


class LEDEncoderAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig, heads: int, layer_idx: int | None = None) -> None:
        super().__init__()
        self.longformer_self_attn = LEDWindowAttention(config.d_model)
        self.output = nn.Linear(config.d_model, config.d_model)

    def forward(self, *_: Any, **__: Any) -> tuple[Tensor, Tensor | None, tuple[Tensor] | None]:
        raise NotImplementedError("vramscope counts the parameters of led, but does not run it yet")


class LEDEncoderLayer(Seq2SeqEncoderLayer):
    attention_class = LEDEncoderAttention


class LEDSide:
    scales_in_table = False

    def build_words(self, config: PreTrainedConfig, count: int) -> None:
        self.embed_tokens = nn.Embedding(count, config.d_model, config.pad_token_id)
        self.embed_positions = nn.Embedding(getattr(config, self.length_name), config.d_model)


class LEDEncoder(LEDSide, Seq2SeqEncoder):
    layer_class = LEDEncoderLayer
    length_name = "max_encoder_position_embeddings"


class LEDDecoder(LEDSide, Seq2SeqDecoder):
    length_name = "max_decoder_position_embeddings"


class LEDModel(Seq2SeqModel):
    encoder_class = LEDEncoder
    decoder_class = LEDDecoder

    def forward(self, *_: Any, **__: Any) -> tuple[Tensor] | ModelOutput:
        raise NotImplementedError("vramscope counts the parameters of led, but does not run it yet")


class LEDForConditionalGeneration(PreTrainedModel):
    base_model_prefix = "led"
    tied = {"lm_head.weight": "led.shared.weight"}

    def __init__(self, config: LEDConfig) -> None:
        super().__init__(config)
        self.led = LEDModel(config)
        self.register_buffer("final_logits_bias", torch.zeros((1, config.vocab_size)))
        self.lm_head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.post_init()

    def forward(self, *args: Any, **kwargs: Any) -> tuple[Tensor] | ModelOutput:
        return self.led(*args, **kwargs)


class LEDForQuestionAnswering(PreTrainedModel):
    base_model_prefix = "led"

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        config.num_labels = 2
        self.led = LEDModel(config)
        self.qa_outputs = nn.Linear(config.d_model, config.num_labels)
        self.post_init()

    def forward(self, *args: Any, **kwargs: Any) -> tuple[Tensor] | ModelOutput:
        return self.led(*args, **kwargs)


register(
    LEDConfig,
    AutoModel=LEDModel,
    AutoModelForSeq2SeqLM=LEDForConditionalGeneration,
    AutoModelForQuestionAnswering=LEDForQuestionAnswering,
)
register_classes(type("LEDPreTrainedModel", (PreTrainedModel,), {"config_class": LEDConfig, "__module__": __name__}))
