"""layoutlmv3: texts with the boxes of their words, then patches of the page; how far apart two tokens are moves their scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cores.capturing import collects
from ..cores.encoder_heads import QuestionAnswering, SequenceClassification, TokenClassification
from ..masking_utils import create_bidirectional_mask
from ..modeling_utils import PreTrainedModel, register
from ..modeling_outputs import BaseModelOutput, SequenceClassifierOutput, TokenClassifierOutput, beside
from .layoutlmv3_layers import (
    LayoutEncoder,
    LayoutLMv3Config,
    LayoutLayer,
    LayoutSelfAttention,
    PagePatches,
    TextEmbeddings,
)

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput
    from transformers.configuration_utils import PreTrainedConfig


class LayoutLMv3Model(PreTrainedModel):
    records = {"hidden_states": LayoutLayer, "attentions": LayoutSelfAttention}
    base_model_prefix = "layoutlmv3"
    supports_gradient_checkpointing = False
    supports_sdpa = False

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        if config.text_embed:
            self.embeddings = TextEmbeddings(config)
        if config.visual_embed:
            self.build_visual(config)
        self.encoder = LayoutEncoder(config)
        self.post_init()

    def build_visual(self, config: PreTrainedConfig) -> None:
        size = config.hidden_size
        self.patch_embed = PagePatches(config)
        patches = (config.input_size // config.patch_size) ** 2
        self.cls_token = nn.Parameter(torch.zeros(1, 1, size))
        self.pos_embed = nn.Parameter(torch.zeros(1, patches + 1, size))
        self.pos_drop = nn.Dropout(p=0.0)
        self.LayerNorm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        if self.biased:
            self.register_buffer("visual_bbox", torch.zeros(patches + 1, 4, dtype=torch.long), persistent=False)
        self.norm = nn.LayerNorm(size, eps=1e-6)

    @property
    def biased(self) -> Any:
        return self.config.has_relative_attention_bias or self.config.has_spatial_attention_bias

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.embeddings.word_embeddings

    def look(self, pixel_values: Tensor) -> Any:
        embeddings = self.patch_embed(pixel_values)
        first = self.cls_token.expand(embeddings.shape[0], -1, -1)
        embeddings = torch.cat((first, embeddings), dim=1)
        embeddings = embeddings + self.pos_embed
        embeddings = self.pos_drop(embeddings)
        embeddings = self.norm(embeddings)
        return embeddings

    @collects
    def forward(
        self,
        input_ids: Tensor | None = None,
        bbox: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        position_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        pixel_values: Tensor | None = None,
        **_: Any,
    ) -> tuple | ModelOutput:
        sized = next((t for t in (input_ids, inputs_embeds, pixel_values) if t is not None), None)
        if sized is None:
            raise ValueError("You have to specify either input_ids or inputs_embeds or pixel_values")
        batch, device = sized.shape[0], sized.device
        shape = None if sized is pixel_values else sized.shape[:2]
        if shape is not None:
            if attention_mask is None:
                attention_mask = torch.ones(shape, device=device)
            if token_type_ids is None:
                token_type_ids = torch.zeros(shape, dtype=torch.long, device=device)
            if bbox is None:
                bbox = torch.zeros((*shape, 4), dtype=torch.long, device=device)
            embedded = self.embeddings(
                input_ids=input_ids,
                bbox=bbox,
                position_ids=position_ids,
                token_type_ids=token_type_ids,
                inputs_embeds=inputs_embeds,
            )
        boxes = positions = None
        if pixel_values is not None:
            seen = self.look(pixel_values)
            seen_mask = torch.ones((batch, seen.shape[1]), dtype=torch.long, device=device)
            attention_mask = seen_mask if attention_mask is None else torch.cat([attention_mask, seen_mask], dim=1)
            if self.biased:
                if self.config.has_spatial_attention_bias:
                    seen_places = self.visual_bbox.repeat(batch, 1, 1).to(device).type(torch.long)
                    boxes = seen_places if bbox is None else torch.cat([bbox, seen_places], dim=1)
                seen_positions = torch.arange(0, seen.shape[1], dtype=torch.long, device=device).repeat(batch, 1)
                if shape is not None:
                    position_ids = torch.arange(0, shape[1], device=device).unsqueeze(0).expand(shape)
                    positions = torch.cat([position_ids, seen_positions], dim=1)
                else:
                    positions = seen_positions
            embedded = seen if shape is None else torch.cat([embedded, seen], dim=1)
            embedded = self.LayerNorm(embedded)
            embedded = self.dropout(embedded)
        elif self.biased:
            if self.config.has_spatial_attention_bias:
                boxes = bbox
            if self.config.has_relative_attention_bias:
                positions = position_ids = self.embeddings.position_ids[:, : shape[1]].expand(shape)
        attention_mask = create_bidirectional_mask(self.config, embedded, attention_mask)
        last = self.encoder(embedded, bbox=boxes, position_ids=positions, attention_mask=attention_mask)
        return BaseModelOutput(last_hidden_state=last)


class ClassificationHead(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        rate = config.classifier_dropout
        self.dropout = nn.Dropout(config.hidden_dropout_prob if rate is None else rate)
        self.out_proj = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, states: Tensor) -> Any:
        states = self.dropout(states)
        states = self.dense(states)
        states = torch.tanh(states)
        states = self.dropout(states)
        states = self.out_proj(states)
        return states


class OfLayout:
    """A head over the model."""

    base_model_prefix = "layoutlmv3"
    model_class = LayoutLMv3Model
    supports_gradient_checkpointing = False

    def make_model(self, config: PreTrainedConfig) -> torch.nn.Module:
        return self.model_class(config)


class LayoutLMv3ForSequenceClassification(OfLayout, SequenceClassification):
    def build(self, config: PreTrainedConfig) -> None:
        self.classifier = ClassificationHead(config)

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> tuple | ModelOutput:
        outputs = self.base_model(input_ids, **kwargs)
        first = outputs[0][:, 0, :]
        logits = self.classifier(first)
        loss = None
        if labels is not None:
            loss = self.loss_function(labels, logits, self.config)
        return SequenceClassifierOutput(loss=loss, logits=logits, **beside(outputs))


class LayoutLMv3ForTokenClassification(OfLayout, TokenClassification):
    def build(self, config: PreTrainedConfig) -> None:
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        few = config.num_labels < 10
        self.classifier = nn.Linear(config.hidden_size, config.num_labels) if few else ClassificationHead(config)

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> tuple | ModelOutput:
        outputs = self.base_model(input_ids, inputs_embeds=inputs_embeds, **kwargs)
        length = (input_ids if input_ids is not None else inputs_embeds).shape[1]
        states = outputs[0][:, :length]
        states = self.dropout(states)
        logits = self.classifier(states)
        loss = None
        if labels is not None:
            loss = F.cross_entropy(logits.view(-1, self.num_labels), labels.view(-1))
        return TokenClassifierOutput(loss=loss, logits=logits, **beside(outputs))


class LayoutLMv3ForQuestionAnswering(OfLayout, QuestionAnswering):
    def build(self, config: PreTrainedConfig) -> None:
        self.qa_outputs = ClassificationHead(config)


register(
    LayoutLMv3Config,
    AutoModel=LayoutLMv3Model,
    AutoModelForSequenceClassification=LayoutLMv3ForSequenceClassification,
    AutoModelForDocumentQuestionAnswering=LayoutLMv3ForQuestionAnswering,
    AutoModelForQuestionAnswering=LayoutLMv3ForQuestionAnswering,
    AutoModelForTokenClassification=LayoutLMv3ForTokenClassification,
)
