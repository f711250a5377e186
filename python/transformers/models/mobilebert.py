"""mobilebert: thin layers between bottlenecks, several feed-forward parts each, words seen with their neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..parts.attention import HeadedModule
from ..cores.capturing import collects
from ..cores.encoder import EncoderConfig, eager_plain
from ..cores.encoder_heads import MaskedLM, PredictionTransform, PreTraining, family
from ..masking_utils import create_bidirectional_mask
from ..modeling_utils import Block, PreTrainedModel
from ..modeling_outputs import BaseModelOutputWithPooling

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class MobileBertConfig(EncoderConfig):
    model_type = "mobilebert"
    hidden_size = 512
    num_hidden_layers = 24
    num_attention_heads = 4
    intermediate_size = 512
    hidden_act = "relu"
    hidden_dropout_prob = 0.0
    embedding_size = 128
    trigram_input = True
    use_bottleneck = True
    intra_bottleneck_size = 128
    use_bottleneck_attention = False
    key_query_shared_bottleneck = True
    num_feedforward_networks = 4
    normalization_type = "no_norm"
    classifier_activation = True

    def complete(self) -> None:
        self.true_hidden_size = self.intra_bottleneck_size if self.use_bottleneck else self.hidden_size


class NoNorm(nn.Module):
    def __init__(self, size: int, eps: float | None = None) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(size))
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x: Tensor) -> Any:
        return x * self.weight + self.bias


NORMS = {"layer_norm": nn.LayerNorm, "no_norm": NoNorm}


def norm_of(config: PreTrainedConfig, size: int) -> Any:
    return NORMS[config.normalization_type](size, eps=config.layer_norm_eps)


class MobileBertEmbeddings(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.trigram_input = config.trigram_input
        self.transforms = self.trigram_input or config.embedding_size != config.hidden_size
        self.word_embeddings = nn.Embedding(config.vocab_size, config.embedding_size, padding_idx=config.pad_token_id)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.hidden_size)
        seen = config.embedding_size * (3 if self.trigram_input else 1)
        self.embedding_transformation = nn.Linear(seen, config.hidden_size)
        self.LayerNorm = norm_of(config, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.register_buffer(
            "position_ids", torch.arange(config.max_position_embeddings).expand((1, -1)), persistent=False
        )

    def forward(
        self,
        input_ids: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
    ) -> Any:
        shape = input_ids.size() if input_ids is not None else inputs_embeds.size()[:-1]
        if position_ids is None:
            position_ids = self.position_ids[:, : shape[1]]
        if token_type_ids is None:
            token_type_ids = torch.zeros(shape, dtype=torch.long, device=self.position_ids.device)
        if inputs_embeds is None:
            inputs_embeds = self.word_embeddings(input_ids)
        if self.trigram_input:
            inputs_embeds = torch.cat(
                [
                    F.pad(inputs_embeds[:, 1:], [0, 0, 0, 1, 0, 0], value=0.0),
                    inputs_embeds,
                    F.pad(inputs_embeds[:, :-1], [0, 0, 1, 0, 0, 0], value=0.0),
                ],
                dim=2,
            )
        if self.transforms:
            inputs_embeds = self.embedding_transformation(inputs_embeds)
        position_embeds = self.position_embeddings(position_ids)
        types = self.token_type_embeddings(token_type_ids)
        states = inputs_embeds + position_embeds + types
        states = self.LayerNorm(states)
        states = self.dropout(states)
        return states


class MobileBertSelfAttention(HeadedModule):
    eager = staticmethod(eager_plain)

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.config = config
        size = config.true_hidden_size
        self.attention_head_size = size // config.num_attention_heads
        self.scaling = self.attention_head_size**-0.5
        self.query = nn.Linear(size, size)
        self.key = nn.Linear(size, size)
        self.value = nn.Linear(size if config.use_bottleneck_attention else config.hidden_size, size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)
        self.is_causal = False

    def forward(
        self, query_tensor: Any, key_tensor: Any, value_tensor: Any, attention_mask: Tensor | None = None, **kwargs: Any
    ) -> Any:
        shape = query_tensor.shape[:-1]
        heads = (*shape, -1, self.attention_head_size)
        query = self.query(query_tensor).view(*heads).transpose(1, 2)
        key = self.key(key_tensor).view(*heads).transpose(1, 2)
        value = self.value(value_tensor).view(*heads).transpose(1, 2)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.dropout.p if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        output = output.reshape(*shape, -1).contiguous()
        return output, weights


class AddThinNorm(nn.Module):
    """Projects, adds, normalises; `drops` says whether something is dropped in between."""

    def __init__(self, config: PreTrainedConfig, before: Any, after: Any, drops: Any) -> None:
        super().__init__()
        self.dense = nn.Linear(before, after)
        self.LayerNorm = norm_of(config, after)
        self.drops = drops
        if drops:
            self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, states: Tensor, residual: Tensor) -> Any:
        result = self.dense(states)
        if self.drops:
            result = self.dropout(result)
        result = self.LayerNorm(result + residual)
        return result


class MobileBertAttention(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size = config.true_hidden_size
        self.self = MobileBertSelfAttention(config)
        self.output = AddThinNorm(config, size, size, not config.use_bottleneck)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        layer_input: Any,
        attention_mask: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        attended, weights = self.self(query, key, value, attention_mask, **kwargs)
        attended = self.output(attended, layer_input)
        return attended, weights


class MobileBertIntermediate(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.true_hidden_size, config.intermediate_size)
        self.intermediate_act_fn = ACT2FN[config.hidden_act]

    def forward(self, states: Tensor) -> Any:
        states = self.dense(states)
        states = self.intermediate_act_fn(states)
        return states


class MobileBertOutput(AddThinNorm):
    def __init__(self, config: PreTrainedConfig) -> None:
        size = config.true_hidden_size
        super().__init__(config, config.intermediate_size, size, not config.use_bottleneck)
        self.bottleneck = None
        if config.use_bottleneck:
            self.bottleneck = AddThinNorm(config, size, config.hidden_size, True)

    def forward(self, states: Tensor, residual: Tensor, layer_residual: Any) -> Any:
        result = self.dense(states)
        if self.drops:
            result = self.dropout(result)
        result = self.LayerNorm(result + residual)
        if self.bottleneck is not None:
            result = self.bottleneck(result, layer_residual)
        return result


class BottleneckLayer(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.intra_bottleneck_size)
        self.LayerNorm = norm_of(config, config.intra_bottleneck_size)

    def forward(self, states: Tensor) -> Any:
        thin = self.dense(states)
        thin = self.LayerNorm(thin)
        return thin


class Bottleneck(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.everywhere = config.use_bottleneck_attention
        self.shared = config.key_query_shared_bottleneck
        self.input = BottleneckLayer(config)
        if self.shared:
            self.attention = BottleneckLayer(config)

    def forward(self, states: Tensor) -> Any:
        """What queries, keys and values are made of, and what they are added to."""
        thin = self.input(states)
        if self.everywhere:
            return (thin,) * 4
        if self.shared:
            shared = self.attention(states)
            return shared, shared, states, thin
        return states, states, states, thin


class FFNLayer(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.intermediate = MobileBertIntermediate(config)
        self.output = AddThinNorm(config, config.intermediate_size, config.true_hidden_size, False)

    def forward(self, states: Tensor) -> Any:
        more = self.intermediate(states)
        result = self.output(more, states)
        return result


class MobileBertLayer(Block):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.attention = MobileBertAttention(config)
        self.intermediate = MobileBertIntermediate(config)
        self.output = MobileBertOutput(config)
        self.bottleneck = Bottleneck(config) if config.use_bottleneck else None
        self.ffn = None
        if config.num_feedforward_networks > 1:
            self.ffn = nn.ModuleList(FFNLayer(config) for _ in range(config.num_feedforward_networks - 1))

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> Any:
        if self.bottleneck is not None:
            query, key, value, layer_input = self.bottleneck(hidden_states)
        else:
            query = key = value = layer_input = hidden_states
        # the attention's own result lives as long as the layer
        first, _ = self.attention(query, key, value, layer_input, attention_mask, **kwargs)
        attended = first
        for part in self.ffn or ():
            attended = part(attended)
        more = self.intermediate(attended)
        result = self.output(more, attended, hidden_states)
        return result


class MobileBertEncoder(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(MobileBertLayer(config) for _ in range(config.num_hidden_layers))

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> Any:
        for layer in self.layer:
            hidden_states = layer(hidden_states, attention_mask, **kwargs)
        return hidden_states


class MobileBertPooler(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size) if config.classifier_activation else None

    def forward(self, states: Tensor) -> Any:
        first = states[:, 0]
        if self.dense is None:
            return first
        pooled = self.dense(first)
        pooled = torch.tanh(pooled)
        return pooled


class MobileBertBase(PreTrainedModel):
    records = {"hidden_states": MobileBertLayer, "attentions": MobileBertSelfAttention}

    def __init__(self, config: PreTrainedConfig, add_pooling_layer: bool = True) -> None:
        super().__init__(config)
        self.gradient_checkpointing = False
        self.embeddings = MobileBertEmbeddings(config)
        self.encoder = MobileBertEncoder(config)
        self.pooler = MobileBertPooler(config) if add_pooling_layer else None
        self.post_init()

    @collects
    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You must specify exactly one of input_ids or inputs_embeds")
        embedded = self.embeddings(input_ids, token_type_ids, position_ids, inputs_embeds)
        attention_mask = create_bidirectional_mask(self.config, embedded, attention_mask)
        states = self.encoder(embedded, attention_mask=attention_mask, **kwargs)
        pooled = self.pooler(states) if self.pooler is not None else None
        return BaseModelOutputWithPooling(last_hidden_state=states, pooler_output=pooled)


class MobileBertPredictions(nn.Module):
    """Scores from the table of words and a second matrix beside it, joined anew each time."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.transform = PredictionTransform(config)
        self.dense = nn.Linear(config.vocab_size, config.hidden_size - config.embedding_size, bias=False)
        self.decoder = nn.Linear(config.embedding_size, config.vocab_size, bias=True)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, states: Tensor) -> Any:
        states = self.transform(states)
        states = states.matmul(torch.cat([self.decoder.weight.t(), self.dense.weight], dim=0))
        states += self.decoder.bias
        return states


class MobileBertMLMHead(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.predictions = MobileBertPredictions(config)

    def forward(self, states: Tensor) -> Any:
        return self.predictions(states)


class MobileBertPreTrainingHeads(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.predictions = MobileBertPredictions(config)
        self.seq_relationship = nn.Linear(config.hidden_size, 2)

    def forward(self, states: Tensor, pooled: Tensor) -> Any:
        return self.predictions(states), self.seq_relationship(pooled)


class MobileBertMaskedLM(MaskedLM):
    def build(self, config: PreTrainedConfig) -> None:
        self.cls = MobileBertMLMHead(config)


class MobileBertPreTraining(PreTraining):
    def build(self, config: PreTrainedConfig) -> None:
        self.cls = MobileBertPreTrainingHeads(config)


family(
    *("MobileBert", "mobilebert", MobileBertConfig, __name__),
    model=MobileBertBase,
    heads={
        "AutoModelForPreTraining": ("ForPreTraining", MobileBertPreTraining),
        "AutoModelForMaskedLM": ("ForMaskedLM", MobileBertMaskedLM),
        "AutoModelForCausalLM": None,
    },
)
