"""Encoders in the manner of DeBERTa: scores of contents and of distances are computed apart, and added."""

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..configuration_utils import PreTrainedConfig
from .encoder import Intermediate
from .encoder_heads import Head, MaskedLM, MultipleChoice, QuestionAnswering, TokenClassification
from ..modeling_utils import Block, PreTrainedModel
from ..modeling_outputs import BaseModelOutput, SequenceClassifierOutput


class DisentangledConfig(PreTrainedConfig):
    """Fields that both generations share."""

    hidden_act = "gelu"
    hidden_dropout_prob = 0.1
    attention_probs_dropout_prob = 0.1
    max_position_embeddings = 512
    type_vocab_size = 0
    initializer_range = 0.02
    layer_norm_eps = 1e-7
    relative_attention = False
    max_relative_positions = -1
    pad_token_id = 0
    position_biased_input = True
    pos_att_type = None
    pooler_dropout = 0.0
    pooler_hidden_act = "gelu"
    pooler_hidden_size = None
    legacy = True
    position_buckets = -1
    share_att_key = False
    norm_rel_ebd = "none"
    conv_kernel_size = 0
    conv_groups = 1
    conv_act = "tanh"
    cls_dropout = None
    talking_head = False

    def complete(self):
        if isinstance(self.pos_att_type, str):
            self.pos_att_type = [kind.strip() for kind in self.pos_att_type.lower().split("|")]
        if self.pooler_hidden_size is None:
            self.pooler_hidden_size = self.hidden_size

    def farthest(self):
        """How many distances to each side are told apart."""
        return self.max_position_embeddings if self.max_relative_positions < 1 else self.max_relative_positions


def root_of(size, factor):
    """What scores are divided by: a number on the CPU."""
    return torch.sqrt(torch.tensor(size, dtype=torch.float) * factor)


class DisentangledEmbeddings(nn.Module):
    norm_class = nn.LayerNorm

    def __init__(self, config):
        super().__init__()
        size = getattr(config, "embedding_size", config.hidden_size)
        self.word_embeddings = nn.Embedding(config.vocab_size, size, padding_idx=config.pad_token_id)
        self.position_embeddings = self.token_type_embeddings = self.embed_proj = None
        if config.position_biased_input:
            self.position_embeddings = nn.Embedding(config.max_position_embeddings, size)
        if config.type_vocab_size > 0:
            self.token_type_embeddings = nn.Embedding(config.type_vocab_size, size)
        if size != config.hidden_size:
            self.embed_proj = nn.Linear(size, config.hidden_size, bias=False)
        self.LayerNorm = self.norm_class(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.register_buffer(
            "position_ids", torch.arange(config.max_position_embeddings).expand((1, -1)), persistent=False
        )

    def forward(self, input_ids=None, token_type_ids=None, position_ids=None, mask=None, inputs_embeds=None):
        length = (input_ids if input_ids is not None else inputs_embeds).size()[1]
        if position_ids is None:
            position_ids = self.position_ids[:, :length]
        if inputs_embeds is None:
            inputs_embeds = self.word_embeddings(input_ids)
        if self.position_embeddings is not None:
            places = self.position_embeddings(position_ids.long())
        else:
            places = torch.zeros_like(inputs_embeds)
        states = inputs_embeds
        if self.position_embeddings is not None:
            states = states + places
        if self.token_type_embeddings is not None:
            types = self.token_type_embeddings(token_type_ids)
            states = states + types
        if self.embed_proj is not None:
            states = self.embed_proj(states)
        states = self.LayerNorm(states)
        if mask is not None:
            if mask.dim() != states.dim():
                mask = mask.squeeze(1).squeeze(1) if mask.dim() == 4 else mask
                mask = mask.unsqueeze(2)
            mask = mask.to(states.dtype)
            states = states * mask
        states = self.dropout(states)
        return states


class DisentangledAddNorm(nn.Module):
    norm_class = nn.LayerNorm

    def __init__(self, config, size):
        super().__init__()
        self.dense = nn.Linear(size, config.hidden_size)
        self.LayerNorm = self.norm_class(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_states, before):
        hidden_states = self.dense(hidden_states)
        hidden_states = self.dropout(hidden_states)
        hidden_states = self.LayerNorm(hidden_states + before)
        return hidden_states


class DisentangledAttention(nn.Module):
    self_class = None
    add_class = DisentangledAddNorm

    def __init__(self, config):
        super().__init__()
        self.self = self.self_class(config)
        self.output = self.add_class(config, config.hidden_size)

    def forward(self, hidden_states, attention_mask, relative_pos=None, rel_embeddings=None):
        attended, weights = self.self(hidden_states, attention_mask, relative_pos, rel_embeddings)
        result = self.output(attended, hidden_states)
        return result, weights


class DisentangledLayer(Block):
    attention_class = DisentangledAttention
    add_class = DisentangledAddNorm

    def __init__(self, config):
        super().__init__()
        self.attention = self.attention_class(config)
        self.intermediate = Intermediate(config)
        self.output = self.add_class(config, config.intermediate_size)

    def forward(self, hidden_states, attention_mask, relative_pos=None, rel_embeddings=None, output_attentions=False):
        attended, weights = self.attention(hidden_states, attention_mask, relative_pos, rel_embeddings)
        if not output_attentions:
            weights = None
        more = self.intermediate(attended)
        result = self.output(more, attended)
        return result, weights


class DisentangledEncoder(nn.Module):
    """All layers' states are collected, whoever asks for them: the model takes the last from there."""

    layer_class = DisentangledLayer

    def __init__(self, config):
        super().__init__()
        self.layer = nn.ModuleList(self.layer_class(config) for _ in range(config.num_hidden_layers))
        self.relative_attention = config.relative_attention
        if self.relative_attention:
            self.rel_embeddings = nn.Embedding(self.distances(config) * 2, config.hidden_size)
        self.conv = None
        self.build(config)
        self.gradient_checkpointing = False

    def distances(self, config):
        return config.farthest()

    def build(self, config):
        """Makes what one generation has more."""

    def relative_table(self):
        return self.rel_embeddings.weight if self.relative_attention else None

    def relative_positions(self, states):
        """[1, queries, keys]"""
        raise NotImplementedError

    def square(self, mask):
        """Which token sees which, from which tokens there are."""
        if mask.dim() <= 2:
            wide = mask.unsqueeze(1).unsqueeze(2)
            mask = wide * wide.squeeze(-2).unsqueeze(-1)
        elif mask.dim() == 3:
            mask = mask.unsqueeze(1)
        return mask

    def forward(self, hidden_states, attention_mask, output_attentions=False):
        tokens = attention_mask if attention_mask.dim() <= 2 else attention_mask.sum(-2) > 0
        attention_mask = self.square(attention_mask)
        relative_pos = self.relative_positions(hidden_states) if self.relative_attention else None
        states = (hidden_states,)
        attentions = () if output_attentions else None
        last = hidden_states
        table = self.relative_table()
        for index, layer in enumerate(self.layer):
            result, weights = layer(
                last,
                attention_mask,
                relative_pos=relative_pos,
                rel_embeddings=table,
                output_attentions=output_attentions,
            )
            if attentions is not None:
                attentions += (weights,)
            if index == 0 and self.conv is not None:
                result = self.conv(hidden_states, result, tokens)
            states += (result,)
            last = result
        return BaseModelOutput(last_hidden_state=last, hidden_states=states, attentions=attentions)


class DisentangledModel(PreTrainedModel):
    supports_sdpa = False
    embeddings_class = DisentangledEmbeddings
    encoder_class = DisentangledEncoder

    def __init__(self, config, add_pooling_layer=False):
        super().__init__(config)
        self.embeddings = self.embeddings_class(config)
        self.encoder = self.encoder_class(config)
        self.post_init()

    def forward(
        self,
        input_ids=None,
        attention_mask=None,
        token_type_ids=None,
        position_ids=None,
        inputs_embeds=None,
        output_attentions=None,
        output_hidden_states=None,
        return_dict=None,
        **kwargs,
    ):
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You have to specify either input_ids or inputs_embeds")
        shape = input_ids.size() if input_ids is not None else inputs_embeds.size()[:-1]
        device = (input_ids if input_ids is not None else inputs_embeds).device
        if attention_mask is None:
            attention_mask = torch.ones(shape, device=device)
        if token_type_ids is None:
            token_type_ids = torch.zeros(shape, dtype=torch.long, device=device)
        embedded = self.embeddings(
            input_ids=input_ids,
            token_type_ids=token_type_ids,
            position_ids=position_ids,
            mask=attention_mask,
            inputs_embeds=inputs_embeds,
        )
        wants_attentions = self.config.output_attentions if output_attentions is None else output_attentions
        outputs = self.encoder(embedded, attention_mask, output_attentions=wants_attentions)
        layers = outputs[1]
        last = layers[-1]
        wants_states = self.config.output_hidden_states if output_hidden_states is None else output_hidden_states
        return BaseModelOutput(
            last_hidden_state=last, hidden_states=layers if wants_states else None, attentions=outputs.attentions
        )


class ContextPooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config.pooler_hidden_size, config.pooler_hidden_size)
        self.dropout = nn.Dropout(config.pooler_dropout)
        self.activation_name = config.pooler_hidden_act

    def forward(self, states):
        first = states[:, 0]
        first = self.dropout(first)
        pooled = self.dense(first)
        pooled = ACT2FN[self.activation_name](pooled)
        return pooled


class PlainPredictions(nn.Module):
    """Scores from the table of words itself, with a bias of its own."""

    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.transform_act_fn = ACT2FN[config.hidden_act]
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, states, words):
        states = self.dense(states)
        states = self.transform_act_fn(states)
        states = self.LayerNorm(states)
        states = torch.matmul(states, words.weight.t()) + self.bias
        return states


class PlainHead(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.lm_head = PlainPredictions(config)

    def forward(self, states, words):
        return self.lm_head(states, words)


class DisentangledMaskedLM(MaskedLM):
    """`legacy` in the config says which head published checkpoints have."""

    def build(self, config):
        self.legacy = config.legacy
        if self.legacy:
            super().build(config)
        else:
            self.lm_predictions = PlainHead(config)
            self.tied = {}

    def get_output_embeddings(self):
        return self.cls.predictions.decoder if self.legacy else self.lm_predictions.lm_head.dense

    def score(self, states):
        if self.legacy:
            return self.cls(states)
        return self.lm_predictions(states, self.deberta.embeddings.word_embeddings)


class PooledHead:
    """What heads on the first token share."""

    def build_pooler(self, config, count):
        self.pooler = ContextPooler(config)
        self.classifier = nn.Linear(config.hidden_size, count)
        self.dropout = nn.Dropout(config.hidden_dropout_prob if config.cls_dropout is None else config.cls_dropout)


class DisentangledSequenceClassification(PooledHead, Head):
    def build(self, config):
        self.build_pooler(config, config.num_labels)

    def loss_of(self, logits, labels):
        """Labels below zero are left out by value; every label is taken to count."""
        kind = self.config.problem_type
        if kind is None and labels.dim() > 1 and labels.size(-1) != 1:
            return -(F.log_softmax(logits, -1) * labels).sum(-1).mean()
        if kind is None:
            places = torch.arange(labels.size(0), device=labels.device).view(-1, 1)
            labels = labels.long()
            labelled = torch.gather(logits, 0, places.expand(places.size(0), logits.size(1)))
            labels = torch.gather(labels, 0, places.view(-1))
            return F.cross_entropy(labelled.view(-1, self.num_labels).float(), labels.view(-1))
        return self.loss_function(labels, logits, self.config)

    def forward(self, input_ids=None, labels=None, return_dict=None, **kwargs):
        outputs = self.base_model(input_ids, **kwargs)
        states = outputs[0]
        pooled = self.pooler(states)
        pooled = self.dropout(pooled)
        logits = self.classifier(pooled)
        loss = None
        if labels is not None:
            if self.config.problem_type is None and self.num_labels == 1:
                logits = logits.view(-1).to(labels.dtype)
                loss = F.mse_loss(logits, labels.view(-1))
            else:
                loss = self.loss_of(logits, labels)
        return SequenceClassifierOutput(loss=loss, logits=logits)


class DisentangledMultipleChoice(PooledHead, MultipleChoice):
    pooling = False

    def build(self, config):
        self.build_pooler(config, 1)

    def pooled(self, outputs):
        states = outputs[0]
        pooled = self.pooler(states)
        pooled = self.dropout(pooled)
        return pooled


class DisentangledTokenClassification(TokenClassification):
    def classifier_dropout(self, config):
        return nn.Dropout(config.hidden_dropout_prob)


HEADS = {
    "AutoModelForPreTraining": ("ForMaskedLM", DisentangledMaskedLM),
    "AutoModelForMaskedLM": ("ForMaskedLM", DisentangledMaskedLM),
    "AutoModelForCausalLM": None,
    "AutoModelForNextSentencePrediction": None,
    "AutoModelForSequenceClassification": ("ForSequenceClassification", DisentangledSequenceClassification),
    "AutoModelForMultipleChoice": None,
    "AutoModelForTokenClassification": ("ForTokenClassification", DisentangledTokenClassification),
    "AutoModelForQuestionAnswering": ("ForQuestionAnswering", QuestionAnswering),
}
