"""generate(): a prompt, then token by token, greedily or by sampling, with the memory of keys and values.

No token ends a sequence early, because there are no values: always as many tokens come as were asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import contextlib
import copy
import inspect

import torch

from ..cache_utils import Cache, DynamicCache, EncoderDecoderCache, StaticCache
from .decoding import CACHE_NAMES, DecodingMixin
from .chosen_processors import processors_for
from ..masking_utils import create_masks_for_generate
from ..quantization.cache import QuantizedCache
from .configuration_utils import GenerationConfig, _ABSENT, _TOKENS

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def _accepts(model, name):
    return name in inspect.signature(model.forward).parameters


class GenerationMixin(DecodingMixin):
    """Adds generate() to models that return logits."""

    # families whose memory is not a Cache of keys and values make it themselves
    supports_default_cache = True
    # whether forward() has an argument for positions
    takes_positions = True

    @property
    def generation_config(self) -> Any:
        made = self.__dict__.get("_generation_config")
        if made is None:
            made = self.__dict__["_generation_config"] = GenerationConfig.from_model_config(self.config)
        return made

    @generation_config.setter
    def generation_config(self, value: Tensor) -> None:
        self.__dict__["_generation_config"] = value

    def can_generate(self) -> Any:
        return hasattr(self, "lm_head")

    # --- what a step is given

    def prepare_inputs_for_generation(
        self,
        input_ids: Tensor,
        next_sequence_length: Any = None,
        past_key_values: Cache | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        is_first_iteration: bool = False,
        **kwargs: Any,
    ) -> dict:
        """Arguments of the next call: the tokens that are new, copied, and all else that is known."""
        both = self.config.is_encoder_decoder
        key = "decoder_input_ids" if both else "input_ids"
        inputs = {}
        if not both and inputs_embeds is not None and is_first_iteration:
            inputs[key] = None
            embeds = inputs_embeds[:, -next_sequence_length:, :] if next_sequence_length is not None else inputs_embeds
            inputs["inputs_embeds"] = embeds.clone(memory_format=torch.contiguous_format)
            batch, length = embeds.shape[:2]
        else:
            if next_sequence_length is not None:
                # counted on the device where a memory of fixed size begins anew: then it is all
                count = -next_sequence_length
                input_ids = input_ids[:, 0:] if isinstance(count, torch.Tensor) else input_ids[:, count:]
                count = None
            inputs[key] = input_ids.clone(memory_format=torch.contiguous_format)
            batch, length = input_ids.shape[:2]
        if past_key_values is not None:
            inputs["past_key_values"] = past_key_values
        positions_key = "decoder_position_ids" if both else "position_ids"
        for name in (positions_key, "token_type_ids"):
            value = kwargs.pop(name, None)
            if value is not None:
                inputs[name] = value
        for name in (positions_key, "token_type_ids", "mm_token_type_ids"):
            value = inputs.get(name)
            if value is not None and value.shape[-1] != length:
                value = value[..., -length:].clone(memory_format=torch.contiguous_format)
                inputs[name] = value
        encoder_mask = attention_mask if both else None
        mask_key = "decoder_attention_mask" if both else "attention_mask"
        attention_mask = kwargs.pop("decoder_attention_mask", None) if both else attention_mask
        if (
            isinstance(past_key_values, Cache)
            and past_key_values.is_compileable
            and attention_mask is not None
            and attention_mask.ndim == 2
        ):
            make = getattr(self, "create_masks_for_generate", create_masks_for_generate)
            attention_mask = make(
                config=self.config,
                inputs_embeds=torch.empty((batch, length, 0), dtype=self.dtype, device=input_ids.device),
                attention_mask=attention_mask,
                past_key_values=inputs.get("past_key_values"),
                position_ids=inputs.get(positions_key),
            )
        if attention_mask is not None:
            inputs[mask_key] = attention_mask
        if encoder_mask is not None:
            inputs["attention_mask"] = encoder_mask
        for name, value in kwargs.items():
            if name not in inputs and name not in ("labels", "next_sequence_length"):
                inputs[name] = value
        return inputs

    def _update_model_kwargs_for_generation(self, outputs, model_kwargs, is_encoder_decoder=False, num_new_tokens=1):
        """What is known after a step: memory, and masks and positions that are one longer."""
        for name in CACHE_NAMES:
            if name in outputs:
                model_kwargs["past_key_values" if name == "mems" else name] = getattr(outputs, name)
                break
        types = model_kwargs.get("token_type_ids")
        if types is not None:
            model_kwargs["token_type_ids"] = torch.cat([types, types[:, -num_new_tokens:]], dim=-1)
        key = "decoder_position_ids" if is_encoder_decoder else "position_ids"
        positions = model_kwargs.get(key)
        if positions is not None:
            shape = [1] * (positions.dim() - 1) + [-1]
            more = (
                torch.arange(num_new_tokens, dtype=positions.dtype, device=positions.device).view(*shape)
                + positions[..., -1:]
                + 1
            )
            more = torch.cat([positions, more], dim=-1)
            model_kwargs[key] = more
        key = "decoder_attention_mask" if is_encoder_decoder else "attention_mask"
        mask = model_kwargs.get(key)
        if mask is not None:
            model_kwargs[key] = torch.cat([mask, mask.new_ones((mask.shape[0], num_new_tokens))], dim=-1)
        return model_kwargs

    @contextlib.contextmanager
    def _optimize_model_for_decode(self):
        """One token at a time, each expert's product by itself is faster than grouped ones."""
        before = self.config._experts_implementation
        swap = before == "grouped_mm" and self.device.type != "cpu"
        if swap:
            self.config.choose(experts="batched_mm")
        try:
            yield
        finally:
            if swap:
                self.config.choose(experts=before)

    # --- what generate() prepares

    def _special_tokens(self, settings, device):
        for kind in _TOKENS:
            token = getattr(settings, f"{kind}_token_id", None)
            if token is not None:
                token = (
                    token.to(device)
                    if isinstance(token, torch.Tensor)
                    else torch.tensor(token, device=device, dtype=torch.long)
                )
            setattr(settings, f"_{kind}_token_tensor", token)
        if self.config.is_encoder_decoder and settings._decoder_start_token_tensor is None:
            settings._decoder_start_token_tensor = settings._bos_token_tensor
        if settings._eos_token_tensor is not None and settings._eos_token_tensor.ndim == 0:
            settings._eos_token_tensor = settings._eos_token_tensor.unsqueeze(0)
        if settings._pad_token_tensor is None and settings._eos_token_tensor is not None:
            settings._pad_token_tensor = settings._eos_token_tensor[0]
        if self.config.is_encoder_decoder and settings._decoder_start_token_tensor is None:
            raise ValueError(
                "`decoder_start_token_id` or `bos_token_id` has to be defined for encoder-decoder generation."
            )
        if settings._eos_token_tensor is not None:
            torch.isin(settings._eos_token_tensor, settings._pad_token_tensor).any()
            (settings._eos_token_tensor < 0).any()

    def _mask_of(self, tokens, settings):
        """A mask of ones, or of what is not padding where that can be told from the tokens."""
        pad, eos = settings._pad_token_tensor, settings._eos_token_tensor
        ones = torch.ones(tokens.shape[:2], dtype=torch.long, device=tokens.device)
        if pad is None or len(tokens.shape) != 2 or tokens.dtype not in (torch.int, torch.long):
            return ones
        padded = torch.isin(tokens, pad).any()
        differs = (eos is None) or ~(torch.isin(eos, pad).any())
        known = padded * differs
        from_padding = tokens.ne(pad).long()
        mask = from_padding * known + ones * ~known
        return mask

    def _positions_of(self, tokens, model_kwargs):
        mask = model_kwargs.get("attention_mask")
        if mask is not None:
            positions = mask.long().cumsum(-1) - 1
            positions = positions.masked_fill(mask == 0, 0)
        else:
            cache = model_kwargs.get("past_key_values")
            past = cache.get_seq_length() if cache is not None else 0
            positions = torch.arange(tokens.shape[1] + past, dtype=torch.long, device=tokens.device)
            positions = positions.unsqueeze(0)
        return positions

    def _encode(self, inputs, name, model_kwargs, settings):
        """Runs the encoder; what the decoder alone takes is not given to it."""
        encoder = self.get_encoder()
        skipped = ("decoder_", "cross_attn", "use_cache", "cross_attention")
        encoder_kwargs = {k: v for k, v in model_kwargs.items() if not k.startswith(skipped)}
        accepted = inspect.signature(encoder.forward).parameters
        if "kwargs" not in accepted and "model_kwargs" not in accepted:
            encoder_kwargs = {k: v for k, v in encoder_kwargs.items() if k in accepted}
        if name in accepted and name != "inputs_embeds":
            encoder_kwargs[name] = inputs
        for key in ("output_attentions", "output_hidden_states"):
            encoder_kwargs[key] = getattr(settings, key)
        encoder_kwargs["return_dict"] = True
        model_kwargs["encoder_outputs"] = encoder(**encoder_kwargs)
        return model_kwargs

    def _prepare_cache(self, settings, model_kwargs, batch, most):
        name = "cache_params" if "mamba" in type(self).__name__.lower() else "past_key_values"
        if model_kwargs.get(name) is not None or settings.use_cache is False or not self.supports_default_cache:
            return
        config = self.config.get_text_config(decoder=True)
        kind = settings.cache_implementation
        both = self.config.is_encoder_decoder
        if kind in ("static", "offloaded_static"):
            cache = self._static_cache(
                config, batch * max(settings.num_beams, settings.num_return_sequences), most, model_kwargs
            )
        elif kind == "quantized":
            if both:
                raise ValueError("This model does not support the quantized cache.")
            cache = QuantizedCache(**{"backend": "quanto", "config": config, **(settings.cache_config or {})})
        elif kind in (None, "dynamic", "dynamic_full"):
            cache = DynamicCache(**({} if kind == "dynamic_full" else {"config": config}))
            if both:
                cache = EncoderDecoderCache(cache, DynamicCache(config=config))
        else:
            raise NotImplementedError(
                f"vramscope has no cache_implementation {kind!r}; it has dynamic, dynamic_full, static and quantized"
            )
        model_kwargs[name] = cache

    def _static_cache(self, config, batch, most, model_kwargs):
        """The memory of the call before, if it has the right sizes, or a new one."""
        both = self.config.is_encoder_decoder
        before = self.__dict__.get("_cache")
        length = model_kwargs["encoder_outputs"][0].shape[1] if both else None
        own = before.self_attention_cache if both and before is not None else before
        fits = own is not None and own.max_batch_size == batch and own.max_cache_len >= most
        if fits and (not both or before.cross_attention_cache.max_cache_len == length):
            before.reset()
            return before
        cache = StaticCache(config=config, max_cache_len=most)
        self._cache = EncoderDecoderCache(cache, StaticCache(config=config, max_cache_len=length)) if both else cache
        return self._cache

    @staticmethod
    def _expand_inputs_for_generation(expand_size=1, is_encoder_decoder=False, input_ids=None, **model_kwargs):
        """Each sequence as often as results of it are asked for."""
        if expand_size == 1:
            return input_ids, model_kwargs
        if input_ids is not None:
            input_ids = input_ids.repeat_interleave(expand_size, dim=0)
        for name, value in model_kwargs.items():
            if isinstance(value, torch.Tensor):
                model_kwargs[name] = value.repeat_interleave(expand_size, dim=0)
        states = model_kwargs.get("encoder_outputs")
        if is_encoder_decoder and states is not None:
            for name, value in list(states.items()):
                if isinstance(value, torch.Tensor):
                    states[name] = value.repeat_interleave(expand_size, dim=0)
        return input_ids, model_kwargs

    @torch.no_grad()
    def generate(
        self,
        inputs: Any = None,
        generation_config: Any = None,
        streamer: Any = None,
        logits_processor: Any = None,
        **kwargs: Any,
    ) -> Any:
        """
        Tokens [batch * num_return_sequences, prompt + max_new_tokens], or an output with more when `return_dict_in_generate`.

        Greedy search, sampling, and both with beams.
        """
        settings = copy.copy(generation_config if generation_config is not None else self.generation_config)
        for name in _ABSENT:
            if kwargs.pop(name, None):
                raise NotImplementedError(f"vramscope's generate() has no {name!r}")
        model_kwargs = settings.update(**kwargs)
        for name in ("output_attentions", "output_hidden_states"):
            if getattr(settings, name):
                model_kwargs[name] = True
        both = self.config.is_encoder_decoder
        model_kwargs["use_cache"] = settings.use_cache
        name = (
            self.get_encoder().main_input_name
            if both and hasattr(self.get_encoder(), "main_input_name")
            else self.main_input_name
        )
        if inputs is None and not both and model_kwargs.get("inputs_embeds") is not None:
            name = "inputs_embeds"
            inputs_tensor = model_kwargs["inputs_embeds"]
            model_kwargs.setdefault(
                "input_ids", torch.ones((inputs_tensor.shape[0], 0), dtype=torch.long, device=inputs_tensor.device)
            )
        else:
            inputs_tensor = inputs if inputs is not None else model_kwargs.pop(name)
        batch, device = inputs_tensor.shape[0], inputs_tensor.device
        self._special_tokens(settings, device)
        given_mask = model_kwargs.get("attention_mask") is not None
        if not both and settings._pad_token_tensor is not None and batch > 1 and len(inputs_tensor.shape) == 2:
            if given_mask and model_kwargs["attention_mask"].shape == inputs_tensor.shape:
                has_right_padding = torch.any(model_kwargs["attention_mask"][:, -1] == 0).item()
            else:
                has_right_padding = torch.sum(inputs_tensor[:, -1] == settings._pad_token_tensor) > 0
        if not given_mask and not both and _accepts(self, "attention_mask"):
            model_kwargs["attention_mask"] = self._mask_of(inputs_tensor, settings)
        if (
            model_kwargs.get("position_ids") is None
            and self.takes_positions
            and _accepts(self, "position_ids")
            and not both
        ):
            model_kwargs["position_ids"] = self._positions_of(inputs_tensor, model_kwargs)
        if both:
            if "encoder_outputs" not in model_kwargs:
                model_kwargs = self._encode(inputs_tensor, name, model_kwargs, settings)
            input_ids = model_kwargs.pop("decoder_input_ids", None)
            if input_ids is None:
                start = settings._decoder_start_token_tensor
                input_ids = torch.ones((batch, 1), dtype=torch.long, device=device) * start
        else:
            input_ids = inputs_tensor if name == "input_ids" else model_kwargs.pop("input_ids")
        input_ids, model_kwargs = self._expand_inputs_for_generation(
            input_ids=input_ids,
            expand_size=max(settings.num_beams, settings.num_return_sequences),
            is_encoder_decoder=both,
            **model_kwargs,
        )
        if settings.max_new_tokens is not None:
            settings.max_length = input_ids.shape[1] + settings.max_new_tokens
        elif name == "inputs_embeds":
            settings.max_length -= inputs_tensor.shape[1]
        if settings.min_new_tokens is not None:
            settings.min_length = input_ids.shape[1] + settings.min_new_tokens
        if input_ids.shape[1] >= settings.max_length:
            raise ValueError(
                f"Input length is {input_ids.shape[1]}, but `max_length` is {settings.max_length}: nothing can be generated."
            )
        if _accepts(self, "logits_to_keep") and "logits_to_keep" not in model_kwargs:
            model_kwargs["logits_to_keep"] = 1
        self._prepare_cache(settings, model_kwargs, batch, settings.max_length - 1)
        processors = processors_for(settings, input_ids.shape[1], inputs_tensor, logits_processor or ())
        # what was known at the beginning lives here until the last token, beside what each step makes of it
        if settings.num_beams > 1:
            return self._beam_search(input_ids, processors, settings, **model_kwargs)
        return self._sample(input_ids, processors, settings, streamer, **model_kwargs)
