"""xlnet: an encoder with relative attention in two streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..configuration_utils import PreTrainedConfig
from ..parts.losses import question_answering_loss, sequence_classification_loss, start_and_end
from ..modeling_utils import PreTrainedModel, register, register_classes
from ..modeling_outputs import output_class
from .electra import SequenceSummary
from .xlnet_layers import XLNetLayer
from .xlnet_answers import XLNetAnswers, XLNetEnds, XLNetStarts

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


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

    def complete(self) -> None:
        self.d_head = self.d_head or self.d_model // self.n_head


XLNetModelOutput = output_class("XLNetModelOutput", "last_hidden_state mems hidden_states attentions")
XLNetOutput = output_class("XLNetOutput", "loss logits mems hidden_states attentions")
XLNetAnswer = output_class("XLNetAnswer", "loss start_logits end_logits mems hidden_states attentions")


class XLNetModel(PreTrainedModel):
    base_model_prefix = "transformer"
    supports_sdpa = False
    supports_gradient_checkpointing = False

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.word_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.mask_emb = nn.Parameter(torch.empty(1, 1, config.d_model))
        self.layer = nn.ModuleList(XLNetLayer(config) for _ in range(config.n_layer))
        self.dropout = nn.Dropout(config.dropout)
        self.post_init()

    def get_input_embeddings(self) -> Any:
        return self.word_embedding

    def one_way_mask(self, length: int, before: Any) -> Any:
        mask = torch.ones((length, length + before), device=self.device)
        if self.config.same_length:
            low = mask[:, :length].tril(-1)
            mask.triu_(before + 1)
            mask[:, :length] += low
        else:
            mask.triu_(before + 1)
        return mask

    def remember(self, states: Tensor, before: Any) -> Any:
        """The last `mem_len` states, of which no gradient is known."""
        config = self.config
        if config.reuse_len:
            states = states[: config.reuse_len]
        first = -config.mem_len if config.mem_len else 0
        kept = states[first:] if before is None else torch.cat([before, states], dim=0)[first:]
        return kept.detach()

    def waves(self, positions: Any, frequencies: Any, batch: int) -> Any:
        angles = torch.einsum("i,d->id", positions, frequencies)
        waves = torch.cat([torch.sin(angles), torch.cos(angles)], dim=-1)
        waves = waves[:, None, :]
        return waves.expand(-1, batch, -1)

    def distances(self, length: int, total: Any, batch: int, device: Any) -> Any:
        config = self.config
        numbers = torch.arange(0, config.d_model, 2.0, dtype=torch.int64, device=device).float()
        frequencies = 1 / torch.pow(10000, (numbers / config.d_model))
        first, last = total, -length if config.attn_type == "bi" else -1
        positions = torch.arange(first, last, -1.0, dtype=torch.int64, device=device).float()
        if not config.bi_data:
            if config.clamp_len > 0:
                positions = positions.clamp(-config.clamp_len, config.clamp_len)
            return self.waves(positions, frequencies, batch)
        back = torch.arange(-first, -last, 1.0, dtype=torch.int64, device=device).float()
        if config.clamp_len > 0:
            positions = positions.clamp(-config.clamp_len, config.clamp_len)
            back = back.clamp(-config.clamp_len, config.clamp_len)
        forth = self.waves(positions, frequencies, batch // 2)
        back_waves = self.waves(back, frequencies, batch // 2)
        return torch.cat([forth, back_waves], dim=1)

    def masks(self, length: int, before: Any, batch: int, input_mask: Tensor, perm_mask: Tensor) -> tuple:
        """What the states must not see, and what those that are asked must not."""
        mask = None
        if self.config.attn_type == "uni":
            mask = self.one_way_mask(length, before)
            mask = mask[:, :, None, None]
        data = perm_mask
        if input_mask is not None:
            data = input_mask[None] if perm_mask is None else input_mask[None] + perm_mask
        if data is not None:
            if before > 0:
                data = torch.cat([torch.zeros([data.shape[0], before, batch]).to(data), data], dim=1)
            if mask is None:
                mask = data[:, :, :, None]
            else:
                mask += data[:, :, :, None]
        if mask is None:
            return data, None, None
        mask = (mask > 0).to(self.dtype)
        own = -torch.eye(length).to(mask)
        if before > 0:
            own = torch.cat([torch.zeros([length, before]).to(mask), own], dim=-1)
        own = ((mask + own[:, :, None, None]) > 0).to(mask)
        return data, mask, own

    def segments(self, types: Any, before: Any, batch: int, device: Any) -> Any:
        if types is None:
            return None, None
        known = types
        if before > 0:
            known = torch.cat([torch.zeros([before, batch], dtype=torch.long, device=device), types], dim=0)
        differ = (types[:, None] != known[None, :]).long()
        differ = F.one_hot(differ, num_classes=2).to(self.dtype)
        return known, differ

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        mems: Any = None,
        perm_mask: Tensor | None = None,
        target_mapping: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        input_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        use_mems: Any = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        **_: Any,
    ) -> Any:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You have to specify either input_ids or inputs_embeds")
        config = self.config
        if output_hidden_states is None:
            output_hidden_states = config.output_hidden_states
        if use_mems is None:
            use_mems = config.use_mems_train if self.training else config.use_mems_eval
        if input_ids is not None:
            input_ids = input_ids.transpose(0, 1).contiguous()
        else:
            inputs_embeds = inputs_embeds.transpose(0, 1).contiguous()
        length, batch = (input_ids if input_ids is not None else inputs_embeds).shape[:2]
        token_type_ids = token_type_ids.transpose(0, 1).contiguous() if token_type_ids is not None else None
        input_mask = input_mask.transpose(0, 1).contiguous() if input_mask is not None else None
        attention_mask = attention_mask.transpose(0, 1).contiguous() if attention_mask is not None else None
        perm_mask = perm_mask.permute(1, 2, 0).contiguous() if perm_mask is not None else None
        target_mapping = target_mapping.permute(1, 2, 0).contiguous() if target_mapping is not None else None
        before = mems[0].shape[0] if mems is not None and mems[0] is not None else 0
        if input_mask is None and attention_mask is not None:
            input_mask = 1.0 - attention_mask
        _data, mask_g, mask_h = self.masks(length, before, batch, input_mask, perm_mask)
        words = inputs_embeds if inputs_embeds is not None else self.word_embedding(input_ids)
        h = self.dropout(words)
        g = asked = None
        if target_mapping is not None:
            asked = self.mask_emb.expand(target_mapping.shape[0], batch, -1)
            g = self.dropout(asked)
        _known, segments = self.segments(token_type_ids, before, batch, h.device)
        positions = self.distances(length, before + length, batch, h.device)
        positions = self.dropout(positions)
        new_mems = ()
        if mems is None:
            mems = [None] * len(self.layer)
        states = [] if output_hidden_states else None
        for index, layer in enumerate(self.layer):
            if use_mems:
                new_mems = new_mems + (self.remember(h, mems[index]),)
            if states is not None:
                states.append((h, g) if g is not None else (h,))
            outputs = layer(h, g, mask_h, mask_g, positions, segments, mems=mems[index], targets=target_mapping)
            h, g = outputs[:2]
        if states is not None:
            states.append((h, g) if g is not None else (h,))
        output = self.dropout(g if g is not None else h)
        output = output.permute(1, 0, 2).contiguous()
        if states is not None:
            states = tuple(part.permute(1, 0, 2).contiguous() for parts in states for part in parts)
        return XLNetModelOutput(last_hidden_state=output, mems=new_mems if use_mems else None, hidden_states=states)


class XLNetHead(PreTrainedModel):
    """The model and what a head makes of its states: `score` gives logits, `loss_of` the loss."""

    base_model_prefix = "transformer"
    supports_sdpa = False
    supports_gradient_checkpointing = False

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.num_labels = config.num_labels
        self.transformer = XLNetModel(config)
        self.build(config)
        self.post_init()

    def output(self, kind: Any, outputs: Any, **values: Any) -> Any:
        return kind(**values, mems=outputs.mems, hidden_states=outputs.hidden_states)


class XLNetLMHeadModel(XLNetHead):
    tied = {"lm_loss.weight": "transformer.word_embedding.weight"}

    def build(self, config: PreTrainedConfig) -> None:
        self.lm_loss = nn.Linear(config.d_model, config.vocab_size, bias=True)

    def get_output_embeddings(self) -> Any:
        return self.lm_loss

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        logits_to_keep: int | Tensor = 0,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.transformer(input_ids, **kwargs)
        hidden_states = outputs[0]
        kept = slice(-logits_to_keep, None) if isinstance(logits_to_keep, int) else logits_to_keep
        logits = self.lm_loss(hidden_states[:, kept, :])
        loss = None
        if labels is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), labels.view(-1))
        return self.output(XLNetOutput, outputs, loss=loss, logits=logits)


class XLNetForSequenceClassification(XLNetHead):
    def build(self, config: PreTrainedConfig) -> None:
        self.sequence_summary = SequenceSummary(config)
        self.logits_proj = nn.Linear(config.d_model, config.num_labels)

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.transformer(input_ids, **kwargs)
        output = outputs[0]
        output = self.sequence_summary(output)
        logits = self.logits_proj(output)
        loss = None
        if labels is not None:
            loss = sequence_classification_loss(labels, logits, self.config)
        return self.output(XLNetOutput, outputs, loss=loss, logits=logits)


class XLNetForMultipleChoice(XLNetHead):
    def build(self, config: PreTrainedConfig) -> None:
        self.sequence_summary = SequenceSummary(config)
        self.logits_proj = nn.Linear(config.d_model, 1)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        choices = input_ids.shape[1]
        flat = [None if t is None else t.view(-1, t.size(-1)) for t in (input_ids, attention_mask, token_type_ids)]
        outputs = self.transformer(flat[0], attention_mask=flat[1], token_type_ids=flat[2], **kwargs)
        output = outputs[0]
        output = self.sequence_summary(output)
        logits = self.logits_proj(output)
        reshaped = logits.view(-1, choices)
        loss = None
        if labels is not None:
            loss = F.cross_entropy(reshaped, labels.view(-1))
        return self.output(XLNetOutput, outputs, loss=loss, logits=reshaped)


class XLNetForTokenClassification(XLNetHead):
    def build(self, config: PreTrainedConfig) -> None:
        self.classifier = nn.Linear(config.d_model, config.num_labels)

    def forward(
        self,
        input_ids: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.transformer(input_ids, **kwargs)
        states = outputs[0]
        logits = self.classifier(states)
        loss = None
        if labels is not None:
            loss = F.cross_entropy(logits.view(-1, self.num_labels), labels.view(-1))
        return self.output(XLNetOutput, outputs, loss=loss, logits=logits)


class XLNetForQuestionAnsweringSimple(XLNetHead):
    def build(self, config: PreTrainedConfig) -> None:
        self.qa_outputs = nn.Linear(config.d_model, config.num_labels)

    def forward(
        self,
        input_ids: Tensor | None = None,
        start_positions: Tensor | None = None,
        end_positions: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.transformer(input_ids, **kwargs)
        states = outputs[0]
        logits = self.qa_outputs(states)
        start, end = start_and_end(logits)
        loss = question_answering_loss(start, end, start_positions, end_positions)
        return self.output(XLNetAnswer, outputs, loss=loss, start_logits=start, end_logits=end)


class XLNetForQuestionAnswering(XLNetHead):
    def build(self, config: PreTrainedConfig) -> None:
        self.start_logits = XLNetStarts(config.d_model)
        self.end_logits = XLNetEnds(config.d_model, config.layer_norm_eps)
        self.answer_class = XLNetAnswers(config.d_model)

    def forward(self, *_: Any, **__: Any) -> None:
        raise NotImplementedError(
            "vramscope's xlnet does not search for answers with beams; XLNetForQuestionAnsweringSimple does run"
        )


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
