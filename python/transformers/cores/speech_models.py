"""Models over the encoders of speech.py: states of frames, letters per frame, a class per recording."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from .capturing import collects
from ..modeling_utils import PreTrainedModel, register
from ..modeling_outputs import CausalLMOutput, SequenceClassifierOutput, Wav2Vec2BaseModelOutput, beside
from .speech import Adapter, SpeechAttention, SpeechEncoder, StableEncoder
from .speech_features import FeatureEncoder, FeatureProjection

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


def masked_spans(rows: Any, length: int, share: Any, span: Any, least: Any) -> Any:
    """Lists of booleans, `rows` of `length`: spans that cover about `share` of each row, at least `least` of them."""
    count = max(int(share * length / span + random.random()), least)
    if count * span > length:
        count = length // span
    count = min(count, max(length - span + 1, 0))
    mask = []
    for _ in range(rows):
        row = [False] * length
        for start in random.sample(range(length - span + 1), count) if count else ():
            row[start : start + span] = [True] * span
        mask.append(row)
    return mask


class SpeechPreTrained(PreTrainedModel):
    main_input_name = "input_values"

    def get_input_embeddings(self) -> None:
        return None

    def freeze_feature_encoder(self) -> None:
        self.base_model.feature_extractor._freeze_parameters()

    def freeze_base_model(self) -> None:
        for parameter in self.base_model.parameters():
            parameter.requires_grad = False

    def frames(self, samples: Any, add_adapter: Any = None) -> Any:
        """How many frames the convolutions make of `samples`: a number or a tensor of numbers."""
        config = self.config

        def after(length, kernel, stride):
            if isinstance(length, torch.Tensor):
                return torch.div(length - kernel, stride, rounding_mode="floor") + 1
            return (length - kernel) // stride + 1

        for kernel, stride in zip(config.conv_kernel, config.conv_stride):
            samples = after(samples, kernel, stride)
        if config.add_adapter if add_adapter is None else add_adapter:
            for _ in range(config.num_adapter_layers):
                samples = after(samples, 1, config.adapter_stride)
        return samples

    def frame_mask(self, length: int, attention_mask: Tensor | None, add_adapter: Any = None) -> Any:
        """A mask over samples as one over `length` frames."""
        samples = attention_mask.cumsum(dim=-1)[:, -1]
        frames = self.frames(samples, add_adapter=add_adapter)
        frames = frames.to(torch.long)
        batch = attention_mask.shape[0]
        attention_mask = torch.zeros((batch, length), dtype=attention_mask.dtype, device=attention_mask.device)
        attention_mask[torch.arange(batch, device=attention_mask.device), frames - 1] = 1
        attention_mask = attention_mask.flip([-1]).cumsum(-1).flip([-1]).bool()
        return attention_mask


class SpeechModel(SpeechPreTrained):
    features_class = FeatureEncoder
    projection_class = FeatureProjection
    encoder_class = SpeechEncoder
    stable_class = StableEncoder
    output_class = Wav2Vec2BaseModelOutput
    records = {"attentions": SpeechAttention}

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.feature_extractor = self.features_class(config)
        self.feature_projection = self.projection_class(config)
        if config.mask_time_prob > 0.0 or config.mask_feature_prob > 0.0:
            self.masked_spec_embed = nn.Parameter(torch.empty(config.hidden_size))
        self.encoder = (self.stable_class if config.do_stable_layer_norm else self.encoder_class)(config)
        self.adapter = Adapter(config) if config.add_adapter else None
        self.post_init()

    def hide(self, hidden_states: Tensor, mask_time_indices: Any) -> Tensor:
        """Spans of time and of features are hidden in training."""
        config = self.config
        if not config.apply_spec_augment:
            return hidden_states
        batch, length, size = hidden_states.size()
        if mask_time_indices is not None:
            hidden_states[mask_time_indices] = self.masked_spec_embed.to(hidden_states.dtype)
        elif config.mask_time_prob > 0 and self.training:
            spans = masked_spans(
                batch, length, config.mask_time_prob, config.mask_time_length, config.mask_time_min_masks
            )
            mask_time_indices = torch.tensor(spans, device=hidden_states.device, dtype=torch.bool)
            hidden_states[mask_time_indices] = self.masked_spec_embed.to(hidden_states.dtype)
        if config.mask_feature_prob > 0 and self.training:
            spans = masked_spans(
                *(batch, size, config.mask_feature_prob, config.mask_feature_length, config.mask_feature_min_masks)
            )
            hidden = torch.tensor(spans, device=hidden_states.device, dtype=torch.bool)
            hidden = hidden[:, None].expand(-1, length, -1)
            hidden_states[hidden] = 0
        return hidden_states

    def project(self, features: Any) -> Any:
        """States for the encoder, and the features that are given back."""
        return self.feature_projection(features)

    @collects
    def forward(
        self,
        input_values: Tensor,
        attention_mask: Tensor | None = None,
        mask_time_indices: Any = None,
        output_hidden_states: bool | None = None,
        **_: Any,
    ) -> Any:
        if output_hidden_states is None:
            output_hidden_states = self.config.output_hidden_states
        features = self.feature_extractor(input_values)
        features = features.transpose(1, 2)
        if attention_mask is not None:
            attention_mask = self.frame_mask(features.shape[1], attention_mask, add_adapter=False)
        hidden_states, features = self.project(features)
        hidden_states = self.hide(hidden_states, mask_time_indices)
        encoded = self.encoder(hidden_states, attention_mask=attention_mask, output_hidden_states=output_hidden_states)
        hidden_states = encoded[0]
        if self.adapter is not None:
            hidden_states = self.adapter(hidden_states)
        values = {
            "last_hidden_state": hidden_states,
            "extract_features": features,
            "hidden_states": encoded.hidden_states,
        }
        return self.output_class(**{name: value for name, value in values.items() if name in self.output_class.fields})


class CTCModel(SpeechPreTrained):
    """Each frame says a letter or nothing."""

    model_class = SpeechModel

    def __init__(self, config: PreTrainedConfig, target_lang: Any = None) -> None:
        super().__init__(config)
        setattr(self, self.base_model_prefix, self.model_class(config))
        self.dropout = nn.Dropout(config.final_dropout)
        self.target_lang = target_lang
        size = config.output_hidden_size if config.add_adapter else config.hidden_size
        self.lm_head = nn.Linear(size, config.vocab_size)
        self.post_init()

    def tie_weights(self) -> None:
        """Nothing is tied."""

    def forward(
        self,
        input_values: Tensor,
        attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        # the library reads the highest label from the device, to compare it with the vocabulary's size
        if labels is not None:
            labels.max()
        outputs = self.base_model(input_values, attention_mask=attention_mask, **kwargs)
        hidden_states = outputs[0]
        hidden_states = self.dropout(hidden_states)
        logits = self.lm_head(hidden_states)
        loss = None
        if labels is not None:
            if attention_mask is None:
                attention_mask = torch.ones_like(input_values, dtype=torch.long)
            lengths = self.frames(attention_mask.sum(-1)).to(torch.long)
            real = labels >= 0
            wanted = real.sum(-1)
            targets = labels.masked_select(real)
            log_probs = F.log_softmax(logits, dim=-1, dtype=torch.float32).transpose(0, 1)
            loss = F.ctc_loss(
                *(log_probs, targets, lengths, wanted),
                blank=self.config.pad_token_id,
                reduction=self.config.ctc_loss_reduction,
                zero_infinity=self.config.ctc_zero_infinity,
            )
        return CausalLMOutput(loss=loss, logits=logits, **beside(outputs))


class SpeechClassifier(SpeechPreTrained):
    """A class for the whole recording, from the mean of its frames."""

    model_class = SpeechModel

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        setattr(self, self.base_model_prefix, self.model_class(config))
        layers = config.num_hidden_layers + 1
        if config.use_weighted_layer_sum:
            self.layer_weights = nn.Parameter(torch.ones(layers) / layers)
        self.projector = nn.Linear(config.hidden_size, config.classifier_proj_size)
        self.classifier = nn.Linear(config.classifier_proj_size, config.num_labels)
        self.post_init()

    def forward(
        self,
        input_values: Tensor,
        attention_mask: Tensor | None = None,
        output_hidden_states: bool | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        if self.config.use_weighted_layer_sum:
            output_hidden_states = True
        outputs = self.base_model(
            input_values, attention_mask=attention_mask, output_hidden_states=output_hidden_states, **kwargs
        )
        if self.config.use_weighted_layer_sum:
            hidden_states = outputs.hidden_states
            hidden_states = torch.stack(hidden_states, dim=1)
            weights = F.softmax(self.layer_weights, dim=-1)
            hidden_states = (hidden_states * weights.view(-1, 1, 1)).sum(dim=1)
        else:
            hidden_states = outputs[0]
        hidden_states = self.projector(hidden_states)
        if attention_mask is None:
            pooled = hidden_states.mean(dim=1)
        else:
            real = self.frame_mask(hidden_states.shape[1], attention_mask)
            spread = real.unsqueeze(-1).repeat(1, 1, hidden_states.shape[2])
            hidden_states[~spread] = 0.0
            pooled = hidden_states.sum(dim=1) / real.sum(dim=1).view(-1, 1)
        logits = self.classifier(pooled)
        loss = None
        if labels is not None:
            loss = F.cross_entropy(logits.view(-1, self.config.num_labels), labels.view(-1))
        return SequenceClassifierOutput(loss=loss, logits=logits, **beside(outputs))


def speech_family(
    prefix: str,
    attribute: str,
    config: PreTrainedConfig,
    module: torch.nn.Module,
    *,
    model: Any = SpeechModel,
    **fields: Any,
) -> None:
    """Makes the classes of a family of encoders of sound, and registers them."""
    own = {"base_model_prefix": attribute, "supports_sdpa": model.supports_sdpa, "__module__": module}
    made = type(f"{prefix}Model", (model,), {**fields, **own})
    heads = {**own, "model_class": made}
    register(
        config,
        AutoModel=made,
        AutoModelForCTC=type(f"{prefix}ForCTC", (CTCModel,), dict(heads)),
        AutoModelForAudioClassification=type(f"{prefix}ForSequenceClassification", (SpeechClassifier,), dict(heads)),
    )
