"""Encoder-decoders in the manner of T5: the two stacks, the models over them, and how a family of them is registered."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from torch import nn

from ..cache_utils import DynamicCache, EncoderDecoderCache
from ..masking_utils import create_bidirectional_mask, create_causal_mask
from ..modeling_utils import PreTrainedModel
from ..modeling_outputs import BaseModelOutputWithPastAndCrossAttentions, Seq2SeqLMOutput, Seq2SeqModelOutput
from .relative import RelativeBlock, ScaleNorm
from .seq2seq_parts import as_encoder_output, from_parts, word_loss

if TYPE_CHECKING:
    from typing import Any

    import torch
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig
    from transformers.cache_utils import Cache


class Stack(PreTrainedModel):
    """The encoder or the decoder."""

    supports_sdpa = False
    block_class = RelativeBlock

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.embed_tokens = nn.Embedding(config.vocab_size, config.d_model)
        self.is_decoder = config.is_decoder
        self.block = nn.ModuleList(self.make_block(config, index) for index in range(config.num_layers))
        self.final_layer_norm = ScaleNorm(config.d_model, eps=config.layer_norm_epsilon)
        self.dropout = nn.Dropout(config.dropout_rate)
        self.gradient_checkpointing = False
        self.post_init()

    def make_block(self, config: PreTrainedConfig, index: int) -> torch.nn.Module:
        return self.block_class(config, index == 0, index)

    def masks(
        self,
        embeds: Tensor,
        mask: Tensor | None,
        cache: EncoderDecoderCache | None,
        encoder_states: Tensor | None,
        encoder_mask: Any,
    ) -> tuple:
        """What the library keeps beside them, the mask of the tokens themselves, that of the encoder's tokens."""
        if self.is_decoder:
            own = cache.self_attention_cache if isinstance(cache, EncoderDecoderCache) else cache
            mask = create_causal_mask(self.config, embeds, mask, own)
        else:
            mask = create_bidirectional_mask(self.config, embeds, mask)
        crossed = None
        if self.is_decoder and encoder_states is not None:
            crossed = create_bidirectional_mask(self.config, embeds, encoder_mask, encoder_states)
        return None, mask, crossed

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        encoder_hidden_states: Tensor | None = None,
        encoder_attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        past_key_values: Cache | None = None,
        use_cache: bool | None = None,
        output_attentions: bool | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        if use_cache is None:
            use_cache = self.config.use_cache
        if output_attentions is None:
            output_attentions = self.config.output_attentions
        if output_hidden_states is None:
            output_hidden_states = self.config.output_hidden_states
        if input_ids is not None:
            input_ids = input_ids.view(-1, input_ids.size()[-1])
        if self.gradient_checkpointing and self.training:
            use_cache = False
        if inputs_embeds is None:
            inputs_embeds = self.embed_tokens(input_ids)
        if not self.is_decoder:
            past_key_values = None
        elif use_cache and past_key_values is None:
            past_key_values = DynamicCache(config=self.config)
            if self.config.is_encoder_decoder:
                past_key_values = EncoderDecoderCache(past_key_values, DynamicCache(config=self.config))
        arguments = (inputs_embeds, attention_mask, past_key_values, encoder_hidden_states, encoder_attention_mask)
        _kept, mask, crossed_mask = self.masks(*arguments)
        states = () if output_hidden_states else None
        attentions = () if output_attentions else None
        crossed = () if output_attentions and self.is_decoder else None
        outputs = (None,) * 5
        position_bias = crossed_bias = None
        hidden_states = self.dropout(inputs_embeds)
        for block in self.block:
            if states is not None:
                states += (hidden_states,)
            outputs = block(
                hidden_states,
                mask,
                position_bias,
                encoder_hidden_states,
                crossed_mask,
                crossed_bias,
                past_key_values=past_key_values,
                use_cache=use_cache,
                output_attentions=output_attentions,
            )
            hidden_states = outputs[0]
            position_bias, crossed_bias, weights = self.biases(outputs, encoder_hidden_states, output_attentions)
            if attentions is not None:
                attentions += (weights[0],)
                if self.is_decoder:
                    crossed += (weights[1],)
            weights = None
        hidden_states = self.final_layer_norm(hidden_states)
        hidden_states = self.dropout(hidden_states)
        if states is not None:
            states += (hidden_states,)
        result = BaseModelOutputWithPastAndCrossAttentions(
            last_hidden_state=hidden_states,
            past_key_values=past_key_values,
            hidden_states=states,
            attentions=attentions,
            cross_attentions=crossed,
        )
        return result.to_tuple() if return_dict is False else result

    def biases(self, outputs: tuple[Tensor, ...], encoder_states: Tensor | None, with_weights: bool) -> tuple:
        """The bias for the next block, that on the encoder's tokens, and the weights of both attentions."""
        weights = (outputs[2], outputs[4] if len(outputs) > 4 else None) if with_weights else None
        crossed = outputs[3 if with_weights else 2] if self.is_decoder and encoder_states is not None else None
        return outputs[1], crossed, weights


class RelativeModel(PreTrainedModel):
    """Encoder and decoder over one table of words."""

    supports_sdpa = False
    keep_in_fp32 = ("wo",)
    base_model_prefix = "transformer"
    stack_class = Stack
    tied = {"encoder.embed_tokens.weight": "shared.weight", "decoder.embed_tokens.weight": "shared.weight"}

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.model_dim = config.d_model
        self.num_labels = config.num_labels
        self.shared = nn.Embedding(config.vocab_size, config.d_model)
        encoder = copy.deepcopy(config)
        encoder.is_decoder = False
        encoder.use_cache = False
        self.encoder = self.stack_class(encoder)
        decoder = copy.deepcopy(config)
        decoder.is_decoder = True
        decoder.num_layers = config.num_decoder_layers
        self.decoder = self.stack_class(decoder)
        self.build(config)
        self.post_init()

    def build(self, config: PreTrainedConfig) -> None:
        """Makes what a head adds."""

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.shared

    def set_input_embeddings(self, table: Any) -> None:
        self.shared = self.encoder.embed_tokens = self.decoder.embed_tokens = table

    def _shift_right(self, input_ids):
        start = getattr(self.config, "decoder_start_token_id", None)
        if start is None:
            raise ValueError("self.model.config.decoder_start_token_id has to be defined.")
        shifted = input_ids.new_zeros(input_ids.shape)
        shifted[..., 1:] = input_ids[..., :-1].clone()
        shifted[..., 0] = start
        shifted.masked_fill_(shifted == -100, self.config.pad_token_id)
        return shifted

    prepare_decoder_input_ids_from_labels = _shift_right

    def stacks(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None,
        decoder_input_ids: Tensor,
        decoder_attention_mask: Tensor | None,
        encoder_outputs: Any,
        past_key_values: Cache | None,
        inputs_embeds: Tensor,
        decoder_inputs_embeds: Tensor,
        use_cache: bool,
        shifted: Any = None,
        **kwargs: Any,
    ) -> tuple:
        """
        What the encoder gives, or was given before, what the decoder reads and makes of it.

        `shifted` are the words that it reads, shifted, where it is given nothing else.
        """
        if use_cache is None:
            use_cache = self.config.use_cache
        if encoder_outputs is None:
            encoder_outputs = self.encoder(
                input_ids=input_ids, attention_mask=attention_mask, inputs_embeds=inputs_embeds, **kwargs
            )
        else:
            encoder_outputs = as_encoder_output(encoder_outputs)
        if shifted is not None and decoder_input_ids is None and decoder_inputs_embeds is None:
            decoder_input_ids = self._shift_right(shifted)
        outputs = self.decoder(
            input_ids=decoder_input_ids,
            attention_mask=decoder_attention_mask,
            inputs_embeds=decoder_inputs_embeds,
            past_key_values=past_key_values,
            encoder_hidden_states=encoder_outputs[0],
            encoder_attention_mask=attention_mask,
            use_cache=use_cache,
            **kwargs,
        )
        return encoder_outputs, decoder_input_ids, outputs

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        encoder_outputs: Any = None,
        past_key_values: Cache | None = None,
        inputs_embeds: Tensor | None = None,
        decoder_inputs_embeds: Tensor | None = None,
        use_cache: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        encoder_outputs, decoder_input_ids, outputs = self.stacks(
            *(input_ids, attention_mask, decoder_input_ids, decoder_attention_mask, encoder_outputs),
            *(past_key_values, inputs_embeds, decoder_inputs_embeds, use_cache),
            **kwargs,
        )
        result = from_parts(Seq2SeqModelOutput, outputs, encoder_outputs, last_hidden_state=outputs.last_hidden_state)
        return result.to_tuple() if return_dict is False else result


class ConditionalGeneration(RelativeModel):
    tied = {"lm_head.weight": "shared.weight", **RelativeModel.tied}

    def build(self, config: PreTrainedConfig) -> None:
        self.lm_head = nn.Linear(config.d_model, config.vocab_size, bias=False)

    def scales(self) -> bool:
        """Whether states are made smaller before they meet the table of words."""
        return self.config.scale_decoder_outputs

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        encoder_outputs: Any = None,
        past_key_values: Cache | None = None,
        inputs_embeds: Tensor | None = None,
        decoder_inputs_embeds: Tensor | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        encoder_outputs, decoder_input_ids, outputs = self.stacks(
            *(input_ids, attention_mask, decoder_input_ids, decoder_attention_mask, encoder_outputs),
            *(past_key_values, inputs_embeds, decoder_inputs_embeds, use_cache),
            shifted=labels,
            **kwargs,
        )
        sequence = outputs[0]
        if self.scales():
            sequence = sequence * self.model_dim**-0.5
        logits = self.lm_head(sequence)
        loss = word_loss(logits, labels)
        result = from_parts(Seq2SeqLMOutput, outputs, encoder_outputs, loss=loss, logits=logits)
        return result.to_tuple() if return_dict is False else result


class EncoderModel(PreTrainedModel):
    """The encoder alone."""

    supports_sdpa = False
    stack_class = Stack
    tied = {"encoder.embed_tokens.weight": "shared.weight"}

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.shared = nn.Embedding(config.vocab_size, config.d_model)
        config = copy.deepcopy(config)
        config.use_cache = False
        config.is_encoder_decoder = False
        self.encoder = self.stack_class(config)
        self.post_init()

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.shared

    def set_input_embeddings(self, table: Any) -> None:
        self.shared = self.encoder.embed_tokens = table

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.encoder(
            input_ids=input_ids, attention_mask=attention_mask, inputs_embeds=inputs_embeds, **kwargs
        )
        return outputs
