"""Decoding: the loops that call a model for one token after another, for single sequences and for beams.

The names that a loop keeps, and when they are bound anew, are part of the memory model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..modeling_outputs import (
    GenerateBeamDecoderOnlyOutput,
    GenerateBeamEncoderDecoderOutput,
    GenerateDecoderOnlyOutput,
    GenerateEncoderDecoderOutput,
)

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


CACHE_NAMES = ("past_key_values", "cache_params", "state", "mems")
_NEVER = -1.0e9


class Collected:
    """What a caller of generate() asked to be given of every step, in the fields of the result."""

    def __init__(self, settings: dict, both: Any, encoder_outputs: Any) -> None:
        asked = settings.return_dict_in_generate
        self.asked, self.both = asked, both
        self.scores = () if asked and settings.output_scores else None
        self.logits = () if asked and settings.output_logits else None
        self.attentions = () if asked and settings.output_attentions else None
        self.states = () if asked and settings.output_hidden_states else None
        self.crossed = () if self.attentions is not None and both else None
        self.encoder_outputs = encoder_outputs if asked and both else None

    def take(self, outputs: Any) -> None:
        if self.attentions is not None:
            self.attentions += (outputs.decoder_attentions if self.both else outputs.attentions,)
            if self.both:
                self.crossed += (outputs.cross_attentions,)
        if self.states is not None:
            self.states += (outputs.decoder_hidden_states if self.both else outputs.hidden_states,)

    def fields(self) -> dict:
        first = {"scores": self.scores, "logits": self.logits}
        if not self.both:
            return {**first, "attentions": self.attentions, "hidden_states": self.states}
        encoder = self.encoder_outputs
        return {
            **first,
            "encoder_attentions": encoder.get("attentions") if self.attentions is not None else None,
            "encoder_hidden_states": encoder.get("hidden_states") if self.states is not None else None,
            "decoder_attentions": self.attentions,
            "cross_attentions": self.crossed,
            "decoder_hidden_states": self.states,
        }


def stops(input_ids: Tensor, settings: dict) -> Any:
    """Which sequences are complete, as the library computes it: no criterion, then the length, then the last token."""
    count, device = input_ids.shape[0], input_ids.device
    done = torch.full((count,), False, device=device, dtype=torch.bool)
    done = done | torch.full((count,), input_ids.shape[1] >= settings.max_length, device=device, dtype=torch.bool)
    if settings._eos_token_tensor is not None:
        done = done | torch.isin(input_ids[:, -1:], settings._eos_token_tensor).any(dim=-1)
    return done


def flat(tensor: Tensor) -> Any:
    """[batch, beams, ...] to [batch * beams, ...]"""
    shape = list(tensor.shape)
    return torch.reshape(tensor, [shape[0] * shape[1], *shape[2:]])


def apart(tensor: Tensor, batch: int, beams: int) -> Any:
    """[batch * beams, ...] to [batch, beams, ...]"""
    return torch.reshape(tensor, [batch, beams, *tensor.shape[1:]])


def gather(tensor: Tensor, chosen: Any) -> Any:
    """The beams of [batch, beams, ...] that `chosen` [batch, n] numbers."""
    while len(chosen.shape) < len(tensor.shape):
        chosen = chosen.unsqueeze(-1)
    return torch.take_along_dim(input=tensor, indices=chosen, dim=1)


class DecodingMixin:
    def _prefill(self, input_ids, settings, model_kwargs):
        """The first call: the whole prompt at once, or in chunks."""
        if settings.prefill_chunk_size is not None:
            return self._prefill_in_chunks(input_ids, settings.prefill_chunk_size, model_kwargs)
        length = None
        cache = model_kwargs.get("past_key_values")
        if cache is not None:
            mask = model_kwargs.get("decoder_attention_mask" if self.config.is_encoder_decoder else "attention_mask")
            past = cache.get_seq_length()
            if mask is not None and input_ids.shape[1] == mask.shape[1]:
                length = input_ids.shape[1] - past
        inputs = self.prepare_inputs_for_generation(
            input_ids, next_sequence_length=length, is_first_iteration=True, **model_kwargs
        )
        return self(**inputs, return_dict=True)

    def _prefill_in_chunks(self, input_ids, size, model_kwargs):
        chunks = torch.split(input_ids, size, dim=-1)
        mask = model_kwargs.pop("attention_mask", None)
        positions = model_kwargs.pop("position_ids", None)
        past = 0
        for chunk in chunks:
            now = past + chunk.shape[-1]
            if mask is not None:
                model_kwargs["attention_mask"] = mask[:, :now]
            if positions is not None:
                model_kwargs["position_ids"] = positions[:, past:now]
            inputs = self.prepare_inputs_for_generation(chunk, **model_kwargs)
            outputs = self(**inputs, return_dict=True)
            model_kwargs["past_key_values"] = outputs.past_key_values
            past = now
        model_kwargs["attention_mask"] = mask
        model_kwargs["position_ids"] = positions
        return outputs

    def _memory_of(self, model_kwargs):
        return next((model_kwargs[name] for name in CACHE_NAMES if name in model_kwargs), None)

    def _sample(self, input_ids, processors, settings, streamer=None, **model_kwargs):
        """Token by token, the likeliest or a random one."""
        both = self.config.is_encoder_decoder
        collected = Collected(settings, both, model_kwargs.get("encoder_outputs"))
        unfinished = torch.ones(input_ids.shape[0], dtype=torch.long, device=input_ids.device)
        pad = settings._pad_token_tensor
        outputs = self._prefill(input_ids, settings, model_kwargs)
        prefilled = False
        while input_ids.shape[1] < settings.max_length:
            if prefilled:
                length = 1 if model_kwargs["use_cache"] else None
                model_inputs = self.prepare_inputs_for_generation(
                    input_ids, next_sequence_length=length, **model_kwargs
                )
                with self._optimize_model_for_decode():
                    outputs = self(**model_inputs, return_dict=True)
            prefilled = True
            model_kwargs = self._update_model_kwargs_for_generation(outputs, model_kwargs, is_encoder_decoder=both)
            # a copy, because the logits of a whole prompt may be large
            next_token_logits = outputs.logits[:, -1, :].to(copy=True, dtype=torch.float32, device=input_ids.device)
            next_token_scores = processors(input_ids, next_token_logits)
            if collected.scores is not None:
                collected.scores += (next_token_scores,)
            if collected.logits is not None:
                collected.logits += (next_token_logits,)
            collected.take(outputs)
            if settings.do_sample:
                probs = nn.functional.softmax(next_token_scores, dim=-1)
                next_tokens = torch.multinomial(probs, num_samples=1).squeeze(1)
            else:
                next_tokens = torch.argmax(next_token_scores, dim=-1)
            if settings._eos_token_tensor is not None:
                next_tokens = next_tokens * unfinished + pad * (1 - unfinished)
            input_ids = torch.cat([input_ids, next_tokens[:, None]], dim=-1)
            if streamer is not None:
                streamer.put(next_tokens.cpu())
            unfinished = unfinished & ~stops(input_ids, settings)
            finished = unfinished.max() == 0
            del outputs
        if streamer is not None:
            streamer.end()
        if not collected.asked:
            return input_ids
        kind = GenerateEncoderDecoderOutput if both else GenerateDecoderOnlyOutput
        return kind(sequences=input_ids, past_key_values=self._memory_of(model_kwargs), **collected.fields())

    # --- beams: the best continuations of several sequences at once, whose memory is put into their order at each step

    def _continue_beams(self, scores, sequences, indices, length, prompt, sample, keep, beams, vocabulary, batch):
        """The `keep` best continuations: their scores, the sequences with them, and where they come from."""
        if sample:
            chosen = torch.multinomial(nn.functional.softmax(scores, dim=-1), num_samples=keep)
            best = torch.gather(input=scores, dim=1, index=chosen)
        else:
            best, chosen = torch.topk(scores, k=keep)
        origins = chosen // vocabulary
        new_indices = gather(indices, origins)
        new_sequences = gather(sequences, origins)
        tokens = chosen % vocabulary
        new_sequences[:, :, length] = tokens
        first = torch.arange(batch, device=tokens.device).view(-1, 1) * beams
        rows = origins + first
        new_indices[:, :, length - prompt] = rows
        return best, new_sequences, new_indices

    def _running_beams(self, scores, sequences, indices, ends, beams):
        """The best beams that do not end here."""
        running = scores + ends.to(torch.float32) * _NEVER
        chosen = torch.topk(running, k=beams)[1]
        return gather(sequences, chosen), gather(running, chosen), gather(indices, chosen)

    def _finished_beams(self, old, new, improvable, ends, first, length, settings):
        """The best of the finished beams and those that finish now. `old` and `new`: sequences, scores, indices (, which are finished)."""
        sequences, beam_scores, indices, sent = old
        new_sequences, new_scores, new_indices = new
        just_now = ends & first[None, :]
        new_scores = new_scores / (length**settings.length_penalty)
        full = torch.all(sent, axis=-1, keepdims=True) & (settings.early_stopping is True)
        new_scores += full.to(torch.float32) * _NEVER
        new_scores += (~improvable).to(torch.float32) * _NEVER
        new_scores += (~just_now) * _NEVER
        all_sequences = torch.cat((sequences, new_sequences), dim=1)
        all_scores = torch.cat((beam_scores, new_scores), dim=1)
        all_indices = torch.cat((indices, new_indices), dim=1)
        all_sent = torch.cat((sent, just_now), dim=1)
        chosen = torch.topk(all_scores, k=settings.num_beams)[1]
        sequences = gather(all_sequences, chosen)
        beam_scores = gather(all_scores, chosen)
        indices = gather(all_indices, chosen)
        sent = gather(all_sent, chosen)
        return sequences, beam_scores, indices, sent

    def _improvable(self, improvable, running, scores, sent, length, most, settings):
        """Whether a running beam can still become better than the worst finished one [batch, 1]."""
        penalty = settings.length_penalty
        at = most if settings.early_stopping == "never" and penalty > 0.0 else length
        possible = running[:, :1] / (at**penalty)
        worst = torch.where(sent, torch.min(scores, dim=1, keepdim=True)[0], _NEVER)
        return improvable & torch.any(possible > worst, dim=-1, keepdim=True)

    def _has_open_beams(self, improvable, sent, ends, early_stopping):
        possible = torch.any(improvable)
        exists = ~(torch.all(sent) & (early_stopping is True))
        valid = ~torch.all(ends)
        return possible & exists & valid

    def _beam_search(self, input_ids, processors, settings, **model_kwargs):
        pad, eos = settings._pad_token_tensor, settings._eos_token_tensor
        both = self.config.is_encoder_decoder
        beams, device = settings.num_beams, input_ids.device
        rows, length = input_ids.shape[:2]
        batch = rows // beams
        vocabulary = self.config.get_text_config().vocab_size
        prompt = length
        keep = max(2, 1 + (eos.shape[0] if eos is not None else 0)) * beams
        first = torch.cat((torch.ones((beams), dtype=torch.bool), torch.zeros((keep - beams), dtype=torch.bool)), dim=0)
        first = first.to(device)
        collected = Collected(settings, both, model_kwargs.get("encoder_outputs"))
        filler = (pad if pad is not None else eos[0]) if eos is not None else -1
        running_sequences = torch.full(
            (batch, beams, settings.max_length), fill_value=filler, dtype=torch.int64, device=device
        )
        running_sequences[:, :, :length] = apart(input_ids, batch, beams)
        sequences = running_sequences.detach().clone()
        running_scores = torch.zeros((batch, beams), dtype=torch.float, device=device)
        running_scores[:, 1:] = -1e9
        beam_scores = torch.full((batch, beams), fill_value=-1e9, dtype=torch.float, device=device)
        sent = torch.zeros((batch, beams), dtype=torch.bool, device=device)
        improvable = torch.ones((batch, 1), dtype=torch.bool, device=device)
        ends = torch.zeros((batch, beams), dtype=torch.bool, device=device)
        running_indices = torch.full(
            (batch, beams, settings.max_length - length), fill_value=-1, dtype=torch.int32, device=device
        )
        indices = running_indices.detach().clone()
        flat_sequences = input_ids
        outputs = self._prefill(input_ids, settings, model_kwargs)
        prefilled = False
        while length < settings.max_length:
            if prefilled:
                flat_sequences = flat(running_sequences[:, :, :length])
                count = 1 if model_kwargs["use_cache"] else None
                model_inputs = self.prepare_inputs_for_generation(
                    flat_sequences, next_sequence_length=count, **model_kwargs
                )
                outputs = self(**model_inputs, return_dict=True)
            prefilled = True
            model_kwargs = self._update_model_kwargs_for_generation(outputs, model_kwargs, is_encoder_decoder=both)
            logits = outputs.logits[:, -1, :].to(copy=True, dtype=torch.float32, device=device)
            scores = nn.functional.log_softmax(logits, dim=-1)
            scores = processors(flat_sequences, scores)
            if collected.logits is not None:
                collected.logits += (logits.clone(),)
            if collected.scores is not None:
                collected.scores += (scores.clone(),)
            collected.take(outputs)
            del outputs
            scores = apart(scores, batch, beams)
            scores = scores + running_scores[:, :, None]
            scores = torch.reshape(scores, (batch, beams * vocabulary))
            best, best_sequences, best_indices = self._continue_beams(
                *(scores, running_sequences, running_indices, length, prompt, settings.do_sample),
                *(keep, beams, vocabulary, batch),
            )
            ends = stops(flat(best_sequences[:, :, : length + 1]), settings)
            ends = apart(ends, batch, keep)
            running_sequences, running_scores, running_indices = self._running_beams(
                best, best_sequences, best_indices, ends, beams
            )
            sequences, beam_scores, indices, sent = self._finished_beams(
                (sequences, beam_scores, indices, sent),
                (best_sequences, best, best_indices),
                *(improvable, ends, first, length + 1 - prompt, settings),
            )
            if model_kwargs.get("past_key_values") is not None:
                beam_index = flat(running_indices[..., length - prompt])
                if hasattr(self, "_reorder_cache"):
                    model_kwargs["past_key_values"] = self._reorder_cache(model_kwargs["past_key_values"], beam_index)
                else:
                    model_kwargs["past_key_values"].reorder_cache(beam_index)
            length += 1
            improvable = self._improvable(
                *(
                    improvable,
                    running_scores,
                    beam_scores,
                    sent,
                    length - prompt,
                    settings.max_length - prompt,
                    settings,
                )
            )
            self._has_open_beams(improvable, sent, ends, settings.early_stopping)
        returned = settings.num_return_sequences
        sequences = flat(sequences[:, :returned, :])
        beam_scores = flat(beam_scores[:, :returned])
        indices = flat(indices[:, :returned, :])
        longest = ((indices + 1).bool()).sum(dim=1).max()
        total = prompt + longest
        if not collected.asked:
            return sequences
        kind = GenerateBeamEncoderDecoderOutput if both else GenerateBeamDecoderOnlyOutput
        return kind(
            sequences=sequences,
            sequences_scores=None if collected.scores is None else beam_scores,
            beam_indices=indices,
            past_key_values=self._memory_of(model_kwargs),
            **collected.fields(),
        )
