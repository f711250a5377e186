"""whisper: two convolutions before the encoder, learned positions by index, queries that are scaled before attention."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..cache_utils import DynamicCache, EncoderDecoderCache
from ..cores.capturing import collects
from ..masking_utils import create_causal_mask
from ..modeling_utils import PreTrainedModel, register, register_classes
from ..modeling_outputs import (
    BaseModelOutput,
    BaseModelOutputWithPastAndCrossAttentions,
    Seq2SeqModelOutput,
    SequenceClassifierOutput,
)
from ..cores.seq2seq import (
    Seq2SeqConfig,
    Seq2SeqDecoder,
    Seq2SeqDecoderLayer,
    Seq2SeqEncoder,
    Seq2SeqEncoderLayer,
)
from ..cores.seq2seq_attention import Seq2SeqAttention
from ..cores.seq2seq_heads import CausalLM, ConditionalGeneration, DecoderWrapper
from ..cores.seq2seq_parts import as_encoder_output, from_parts, passed_on, shift_right, word_loss

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.modeling_outputs import ModelOutput
    from transformers.configuration_utils import PreTrainedConfig


class WhisperConfig(Seq2SeqConfig):
    model_type = "whisper"
    attribute_map = {**Seq2SeqConfig.attribute_map, "num_key_value_heads": "encoder_attention_heads"}
    vocab_size = 51865
    num_mel_bins = 80
    encoder_layers = 4
    encoder_attention_heads = 6
    decoder_layers = 4
    decoder_attention_heads = 6
    decoder_ffn_dim = 1536
    encoder_ffn_dim = 1536
    decoder_start_token_id = 50257
    d_model = 384
    dropout = 0.0
    max_source_positions = 1500
    max_target_positions = 448
    pad_token_id = 50256
    bos_token_id = 50256
    eos_token_id = 50256
    suppress_tokens = None
    begin_suppress_tokens = (220, 50256)
    use_weighted_layer_sum = False
    classifier_proj_size = 256
    apply_spec_augment = False
    median_filter_width = 7


class WhisperAttention(Seq2SeqAttention):
    """Heads are copied out of the projections; the scale is in the queries."""

    key_bias = False

    def __init__(self, *args: PreTrainedConfig | int, **kwargs: int | None) -> None:
        super().__init__(*args, **kwargs)
        self.query_scale, self.scaling = self.scaling, 1.0

    def ask(self, states: Tensor, shape: tuple[int, ...]) -> Tensor:
        return (self.q_proj(states) * self.query_scale).view(shape).transpose(1, 2).contiguous()

    def project(self, source: Tensor) -> tuple[Tensor, Tensor]:
        shape = (source.shape[0], -1, self.num_heads, self.head_dim)
        key = self.k_proj(source).view(shape).transpose(1, 2).contiguous()
        value = self.v_proj(source).view(shape).transpose(1, 2).contiguous()
        return key, value


class WhisperEncoderLayer(Seq2SeqEncoderLayer):
    attention_class = WhisperAttention
    norm_first = True
    always_limits = True


class WhisperDecoderLayer(Seq2SeqDecoderLayer):
    attention_class = WhisperAttention
    norm_first = True


class WhisperPositions(nn.Embedding):
    def forward(self, position_ids: Tensor) -> Tensor:
        return self.weight[position_ids]


class WhisperPreTrainedModel(PreTrainedModel):
    config_class = WhisperConfig
    main_input_name = "input_features"


class WhisperEncoder(WhisperPreTrainedModel):
    records = Seq2SeqEncoder.records

    def __init__(self, config: WhisperConfig) -> None:
        super().__init__(config)
        size = config.d_model
        self.dropout = config.dropout
        self.conv1 = nn.Conv1d(config.num_mel_bins, size, kernel_size=3, padding=1)
        self.conv2 = nn.Conv1d(size, size, kernel_size=3, stride=2, padding=1)
        self.embed_positions = nn.Embedding(config.max_source_positions, size)
        self.embed_positions.requires_grad_(False)
        self.layers = nn.ModuleList(WhisperEncoderLayer(config) for _ in range(config.encoder_layers))
        self.layer_norm = nn.LayerNorm(size)
        self.gradient_checkpointing = False
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.conv1

    def _freeze_parameters(self):
        self.requires_grad_(False)

    @collects
    def forward(self, input_features: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> ModelOutput:
        length = self.config.max_source_positions * self.conv1.stride[0] * self.conv2.stride[0]
        if input_features.shape[-1] != length:
            raise ValueError(
                f"Whisper expects the mel input features to be of length {length}, but found {input_features.shape[-1]}."
            )
        states = F.gelu(self.conv1(input_features))
        states = F.gelu(self.conv2(states))
        states = states.permute(0, 2, 1)
        positions = torch.arange(self.embed_positions.num_embeddings, device=states.device)
        hidden_states = states + self.embed_positions(positions)
        hidden_states = F.dropout(hidden_states, p=self.dropout, training=self.training)
        for layer in self.layers:
            hidden_states = layer(hidden_states, None, **kwargs)
        hidden_states = self.layer_norm(hidden_states)
        return BaseModelOutput(last_hidden_state=hidden_states)


class WhisperDecoder(WhisperPreTrainedModel):
    main_input_name = "input_ids"
    records = Seq2SeqDecoder.records

    def __init__(self, config: WhisperConfig) -> None:
        super().__init__(config)
        self.dropout = config.dropout
        self.embed_tokens = nn.Embedding(config.vocab_size, config.d_model, config.pad_token_id)
        self.embed_positions = WhisperPositions(config.max_target_positions, config.d_model)
        self.layers = nn.ModuleList(WhisperDecoderLayer(config, index) for index in range(config.decoder_layers))
        self.layer_norm = nn.LayerNorm(config.d_model)
        self.gradient_checkpointing = False
        self.post_init()

    @collects
    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        encoder_hidden_states: Tensor | None = None,
        past_key_values: Cache | None = None,
        inputs_embeds: Tensor | None = None,
        position_ids: Tensor | None = None,
        use_cache: bool | None = None,
        **kwargs: Any,
    ) -> ModelOutput:
        if (input_ids is None) == (inputs_embeds is None):
            raise ValueError("You cannot specify both decoder_input_ids and decoder_inputs_embeds at the same time")
        if use_cache is None:
            use_cache = self.config.use_cache
        use_cache = use_cache and not (self.gradient_checkpointing and self.training)
        if inputs_embeds is None:
            inputs_embeds = self.embed_tokens(input_ids)
        if use_cache and past_key_values is None:
            past_key_values = DynamicCache(config=self.config)
            if encoder_hidden_states is not None or self.config.is_encoder_decoder:
                past_key_values = EncoderDecoderCache(past_key_values, DynamicCache(config=self.config))
        seen = past_key_values.get_seq_length() if past_key_values is not None else 0
        if position_ids is None:
            position_ids = torch.arange(inputs_embeds.shape[1], device=inputs_embeds.device) + seen
            position_ids = position_ids.unsqueeze(0).repeat(inputs_embeds.shape[0], 1)
        positions = self.embed_positions(position_ids)
        hidden_states = inputs_embeds + positions.to(inputs_embeds.device)
        hidden_states = F.dropout(hidden_states, p=self.dropout, training=self.training)
        mask = create_causal_mask(self.config, inputs_embeds, attention_mask, past_key_values, position_ids)
        for layer in self.layers:
            hidden_states = layer(
                hidden_states,
                mask,
                encoder_hidden_states,
                encoder_attention_mask=None,
                past_key_values=past_key_values if use_cache else None,
                use_cache=use_cache,
                **kwargs,
            )
        hidden_states = self.layer_norm(hidden_states)
        return BaseModelOutputWithPastAndCrossAttentions(
            last_hidden_state=hidden_states, past_key_values=past_key_values
        )


class WhisperModel(WhisperPreTrainedModel):
    shift = staticmethod(shift_right)

    def __init__(self, config: WhisperConfig) -> None:
        super().__init__(config)
        if config.apply_spec_augment:
            raise NotImplementedError("vramscope's whisper does not mask its input at random (apply_spec_augment)")
        self.encoder = WhisperEncoder(config)
        self.decoder = WhisperDecoder(config)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.decoder.embed_tokens

    def freeze_encoder(self) -> None:
        self.encoder._freeze_parameters()

    def forward(
        self,
        input_features: Tensor | None = None,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        encoder_outputs: tuple[tuple[Tensor]] | None = None,
        past_key_values: Cache | None = None,
        decoder_inputs_embeds: tuple[Tensor] | None = None,
        decoder_position_ids: tuple[Tensor] | None = None,
        use_cache: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> tuple[Tensor] | ModelOutput:
        if encoder_outputs is None:
            encoder_outputs = self.encoder(input_features, **kwargs)
        else:
            encoder_outputs = as_encoder_output(encoder_outputs)
        outputs = self.decoder(
            input_ids=decoder_input_ids,
            attention_mask=decoder_attention_mask,
            encoder_hidden_states=encoder_outputs[0],
            past_key_values=past_key_values,
            inputs_embeds=decoder_inputs_embeds,
            position_ids=decoder_position_ids,
            use_cache=use_cache,
            **kwargs,
        )
        result = from_parts(Seq2SeqModelOutput, outputs, encoder_outputs, last_hidden_state=outputs.last_hidden_state)
        return result.to_tuple() if return_dict is False else result


class WhisperForConditionalGeneration(ConditionalGeneration, WhisperPreTrainedModel):
    model_class = WhisperModel
    main_input_name = "input_features"
    tied = {"proj_out.weight": "model.decoder.embed_tokens.weight"}
    head_name = "proj_out"
    adds_bias = False
    drops_cache = False

    def freeze_encoder(self) -> None:
        self.model.freeze_encoder()

    def cost(self, logits: Tensor, labels: Tensor) -> Any:
        return None if labels is None else word_loss(logits, labels.reshape(-1))

    def forward(
        self,
        input_features: Tensor | None = None,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        encoder_outputs: tuple[tuple[Tensor]] | None = None,
        past_key_values: Cache | None = None,
        decoder_inputs_embeds: tuple[Tensor] | None = None,
        decoder_position_ids: tuple[Tensor] | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> tuple[Tensor] | ModelOutput:
        if labels is not None and labels.shape[1] > self.config.max_target_positions:
            raise ValueError(
                f"Labels' sequence length {labels.shape[1]} cannot exceed the maximum allowed length of "
                f"{self.config.max_target_positions} tokens."
            )
        return self.say(
            input_features,
            labels,
            return_dict,
            attention_mask=attention_mask,
            decoder_input_ids=decoder_input_ids,
            encoder_outputs=encoder_outputs,
            decoder_attention_mask=decoder_attention_mask,
            past_key_values=past_key_values,
            decoder_inputs_embeds=decoder_inputs_embeds,
            decoder_position_ids=decoder_position_ids,
            use_cache=use_cache,
            **kwargs,
        )


class WhisperDecoderWrapper(DecoderWrapper, WhisperPreTrainedModel):
    decoder_class = WhisperDecoder


class WhisperForCausalLM(CausalLM, WhisperPreTrainedModel):
    main_input_name = "input_ids"
    tied = {"proj_out.weight": "model.decoder.embed_tokens.weight"}
    head_name = "proj_out"
    wrapper_class = WhisperDecoderWrapper

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        encoder_outputs: tuple[Tensor] | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> tuple | ModelOutput:
        if isinstance(encoder_outputs, (BaseModelOutput, tuple, list)):
            encoder_outputs = encoder_outputs[0]
        kwargs = {"attention_mask": attention_mask, "encoder_hidden_states": encoder_outputs, **kwargs}
        return super().forward(input_ids, labels, return_dict=return_dict, **kwargs)


class WhisperForAudioClassification(WhisperPreTrainedModel):
    """The encoder, with the mean over time as what says the class."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        if config.use_weighted_layer_sum:
            raise NotImplementedError("vramscope's whisper does not sum its layers (use_weighted_layer_sum)")
        self.encoder = WhisperEncoder(config)
        self.projector = nn.Linear(config.hidden_size, config.classifier_proj_size)
        self.classifier = nn.Linear(config.classifier_proj_size, config.num_labels)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.encoder.get_input_embeddings()

    def freeze_encoder(self) -> None:
        self.encoder._freeze_parameters()

    def forward(
        self,
        input_features: Tensor | None = None,
        encoder_outputs: tuple[tuple[Tensor]] | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> tuple[Tensor] | ModelOutput:
        if encoder_outputs is None:
            encoder_outputs = self.encoder(input_features, **kwargs)
        else:
            encoder_outputs = as_encoder_output(encoder_outputs)
        states = encoder_outputs[0]
        states = self.projector(states)
        pooled = states.mean(dim=1)
        logits = self.classifier(pooled)
        loss = word_loss(logits, labels)
        result = passed_on(SequenceClassifierOutput, encoder_outputs, loss=loss, logits=logits)
        return result.to_tuple() if return_dict is False else result


register(
    WhisperConfig,
    AutoModel=WhisperModel,
    AutoModelForSpeechSeq2Seq=WhisperForConditionalGeneration,
    AutoModelForCausalLM=WhisperForCausalLM,
    AutoModelForAudioClassification=WhisperForAudioClassification,
)
register_classes(WhisperPreTrainedModel)
