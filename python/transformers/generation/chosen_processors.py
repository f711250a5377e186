"""Which processors of scores the settings of generation ask for, in the library's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .logits_process import (
    EncoderRepetitionPenaltyLogitsProcessor,
    EpsilonLogitsWarper,
    EtaLogitsWarper,
    ExponentialDecayLengthPenalty,
    ForcedBOSTokenLogitsProcessor,
    ForcedEOSTokenLogitsProcessor,
    InfNanRemoveLogitsProcessor,
    LogitNormalization,
    LogitsProcessorList,
    MinLengthLogitsProcessor,
    MinNewTokensLengthLogitsProcessor,
    MinPLogitsWarper,
    NoBadWordsLogitsProcessor,
    NoRepeatNGramLogitsProcessor,
    RepetitionPenaltyLogitsProcessor,
    SequenceBiasLogitsProcessor,
    SuppressTokensAtBeginLogitsProcessor,
    SuppressTokensLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
    TypicalLogitsWarper,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor


def _before_sampling(settings, prompt, inputs):
    """Processors that apply to every way of decoding."""
    eos, device = settings._eos_token_tensor, inputs.device
    if settings.sequence_bias is not None:
        yield SequenceBiasLogitsProcessor(settings.sequence_bias)
    if settings.encoder_repetition_penalty not in (None, 1.0):
        yield EncoderRepetitionPenaltyLogitsProcessor(settings.encoder_repetition_penalty, inputs)
    if settings.repetition_penalty not in (None, 1.0):
        yield RepetitionPenaltyLogitsProcessor(settings.repetition_penalty)
    if settings.no_repeat_ngram_size:
        yield NoRepeatNGramLogitsProcessor(settings.no_repeat_ngram_size)
    if settings.bad_words_ids is not None:
        yield NoBadWordsLogitsProcessor(settings.bad_words_ids, eos)
    if settings.min_length and eos is not None:
        yield MinLengthLogitsProcessor(settings.min_length, eos, device)
    if settings.min_new_tokens and eos is not None:
        yield MinNewTokensLengthLogitsProcessor(prompt, settings.min_new_tokens, eos, device)
    if settings.forced_bos_token_id is not None:
        yield ForcedBOSTokenLogitsProcessor(settings.forced_bos_token_id)
    if settings.forced_eos_token_id is not None:
        yield ForcedEOSTokenLogitsProcessor(settings.max_length, settings.forced_eos_token_id, device)
    if settings.remove_invalid_values:
        yield InfNanRemoveLogitsProcessor()
    if settings.exponential_decay_length_penalty is not None:
        yield ExponentialDecayLengthPenalty(settings.exponential_decay_length_penalty, eos, prompt)
    if settings.suppress_tokens is not None:
        yield SuppressTokensLogitsProcessor(settings.suppress_tokens, device)
    if settings.begin_suppress_tokens is not None:
        later = prompt <= 1 and settings.forced_bos_token_id is not None
        yield SuppressTokensAtBeginLogitsProcessor(settings.begin_suppress_tokens, prompt + later, device)


def _for_sampling(settings, device):
    """Processors that say which tokens may be drawn."""
    kept = 1
    if settings.num_beams > 1:
        eos = settings._eos_token_tensor
        kept = 2 if eos is None else eos.shape[0] + 1
    few = {"min_tokens_to_keep": kept}
    if settings.temperature not in (None, 1.0):
        yield TemperatureLogitsWarper(settings.temperature)
    if settings.top_k:
        yield TopKLogitsWarper(settings.top_k, **few)
    if settings.top_p is not None and settings.top_p < 1.0:
        yield TopPLogitsWarper(settings.top_p, **few)
    if settings.min_p is not None:
        yield MinPLogitsWarper(settings.min_p, **few)
    if settings.typical_p is not None and settings.typical_p < 1.0:
        yield TypicalLogitsWarper(settings.typical_p, **few)
    if settings.epsilon_cutoff and settings.epsilon_cutoff < 1.0:
        yield EpsilonLogitsWarper(settings.epsilon_cutoff, **few)
    if settings.eta_cutoff and settings.eta_cutoff < 1.0:
        yield EtaLogitsWarper(settings.eta_cutoff, **few, device=device)


def processors_for(settings: dict, prompt: int, inputs: Tensor | None, added: Sequence = ()) -> LogitsProcessorList:
    """The processors that a GenerationConfig asks for, with those `given`; `prompt` is the length of what the decoder begins with."""
    found = LogitsProcessorList([*_before_sampling(settings, prompt, inputs), *added])
    if settings.do_sample:
        found += _for_sampling(settings, inputs.device)
    if settings.renormalize_logits:
        found.append(LogitNormalization())
    return found
