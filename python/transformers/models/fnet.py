"""fnet: an encoder that mixes tokens by a Fourier transform instead of attention."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..cores.capturing import collects
from ..cores.encoder import AddNorm, Embeddings, EncoderConfig, Intermediate, Pooler
from ..cores.encoder_heads import MaskedLM, QuestionAnswering, TokenClassification, family
from ..modeling_utils import Block, PreTrainedModel
from ..modeling_outputs import BaseModelOutputWithPooling

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


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
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.projection = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(
        self,
        input_ids: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
    ) -> Any:
        length = (input_ids if input_ids is not None else inputs_embeds).shape[1]
        if position_ids is None:
            position_ids = self.position_ids[:, :length]
        if inputs_embeds is None:
            inputs_embeds = self.word_embeddings(input_ids)
        types = self.token_type_embeddings(token_type_ids)
        embeddings = inputs_embeds + types
        position_embeds = self.position_embeddings(position_ids)
        embeddings += position_embeds
        embeddings = self.LayerNorm(embeddings)
        embeddings = self.projection(embeddings)
        embeddings = self.dropout(embeddings)
        return embeddings


class FourierAdd(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, hidden_states: Tensor, before: Any) -> Any:
        hidden_states = self.LayerNorm(before + hidden_states)
        return hidden_states


class Fourier(nn.Module):
    """The real part of a Fourier transform over tokens and channels."""

    def forward(self, hidden_states: Tensor) -> tuple:
        return (torch.fft.fftn(hidden_states, dim=(1, 2)).real,)


class FourierPart(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.self = Fourier()
        self.output = FourierAdd(config)

    def forward(self, hidden_states: Tensor) -> tuple:
        mixed = self.self(hidden_states)
        output = self.output(mixed[0], hidden_states)
        return (output,)


class FNetLayer(Block):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.fourier = FourierPart(config)
        self.intermediate = Intermediate(config)
        self.output = AddNorm(config, config.intermediate_size)

    def feed_forward(self, mixed: Any) -> Tensor:
        more = self.intermediate(mixed)
        result = self.output(more, mixed)
        return result

    def forward(self, hidden_states: Tensor) -> tuple:
        outputs = self.fourier(hidden_states)
        mixed = outputs[0]
        result = self.feed_forward(mixed)
        return (result,)


class FNetEncoder(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(FNetLayer(config) for _ in range(config.num_hidden_layers))
        self.gradient_checkpointing = False

    def forward(self, hidden_states: Tensor) -> Any:
        for layer in self.layer:
            outputs = layer(hidden_states)
            hidden_states = outputs[0]
        return hidden_states


class FNetBase(PreTrainedModel):
    supports_sdpa = False
    records = {"hidden_states": FNetLayer}

    def __init__(self, config: PreTrainedConfig, add_pooling_layer: bool = True) -> None:
        super().__init__(config)
        if config.use_tpu_fourier_optimizations:
            raise NotImplementedError("vramscope's fnet has no use_tpu_fourier_optimizations")
        self.embeddings = FNetEmbeddings(config)
        self.encoder = FNetEncoder(config)
        self.pooler = Pooler(config) if add_pooling_layer else None
        self.post_init()

    @collects
    def forward(
        self,
        input_ids: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        **_: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You have to specify either input_ids or inputs_embeds")
        batch, length = (input_ids.size() if input_ids is not None else inputs_embeds.size())[:2]
        if token_type_ids is None:
            token_type_ids = self.embeddings.token_type_ids[:, :length].expand(batch, length)
        embedded = self.embeddings(
            input_ids=input_ids, position_ids=position_ids, token_type_ids=token_type_ids, inputs_embeds=inputs_embeds
        )
        states = self.encoder(embedded)
        pooled = self.pooler(states) if self.pooler is not None else None
        return BaseModelOutputWithPooling(last_hidden_state=states, pooler_output=pooled)


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
