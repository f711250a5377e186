"""What sampling does to the scores of the next token [batch, vocabulary], in the library's order."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def _tokens(ids, device):
    if isinstance(ids, torch.Tensor):
        return ids
    return torch.tensor([ids] if isinstance(ids, int) else ids, device=device)


class LogitsProcessor:
    """Changes scores; subclasses say how in `__call__(input_ids, scores)`."""

    def __call__(self, input_ids: Tensor, scores: Tensor) -> None:
        raise NotImplementedError(f"{type(self).__name__} is an abstract class")


class LogitsProcessorList(list):
    """Processors that are applied one after another."""

    def __call__(self, input_ids: Tensor, scores: Tensor, **kwargs: Any) -> Tensor:
        for processor in self:
            more = kwargs if len(inspect.signature(processor.__call__).parameters) > 2 else {}
            scores = processor(input_ids, scores, **more)
        return scores


class TemperatureLogitsWarper(LogitsProcessor):
    def __init__(self, temperature: float) -> None:
        self.temperature = temperature

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        changed = scores / self.temperature
        return changed


class RepetitionPenaltyLogitsProcessor(LogitsProcessor):
    def __init__(self, penalty: float) -> None:
        self.penalty = penalty

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        score = torch.gather(scores, 1, input_ids)
        score = torch.where(score < 0, score * self.penalty, score / self.penalty)
        changed = scores.scatter(1, input_ids, score)
        return changed


class TopKLogitsWarper(LogitsProcessor):
    def __init__(self, top_k: int, filter_value: float = -float("inf"), min_tokens_to_keep: int = 1) -> None:
        self.top_k, self.filter_value = max(top_k, min_tokens_to_keep), filter_value

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        count = min(self.top_k, scores.size(-1))
        away = scores < torch.topk(scores, count)[0][..., -1, None]
        changed = scores.masked_fill(away, self.filter_value)
        return changed


class TopPLogitsWarper(LogitsProcessor):
    def __init__(self, top_p: float, filter_value: float = -float("inf"), min_tokens_to_keep: int = 1) -> None:
        self.top_p, self.filter_value, self.kept = top_p, filter_value, min_tokens_to_keep

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        ordered, indices = torch.sort(scores, descending=False)
        sums = ordered.softmax(dim=-1).cumsum(dim=-1)
        low = sums <= (1 - self.top_p)
        low[..., -self.kept :] = 0
        away = low.scatter(1, indices, low)
        changed = scores.masked_fill(away, self.filter_value)
        return changed


class MinPLogitsWarper(LogitsProcessor):
    def __init__(self, min_p: float, filter_value: float = -float("inf"), min_tokens_to_keep: int = 1) -> None:
        self.min_p, self.filter_value, self.kept = min_p, filter_value, min_tokens_to_keep

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        probs = torch.softmax(scores, dim=-1)
        best = probs.amax(dim=-1, keepdim=True)
        least = self.min_p * best
        away = probs < least
        indices = torch.topk(probs, min(self.kept, probs.shape[-1]), dim=-1).indices
        away.scatter_(-1, indices, False)
        changed = scores.masked_fill(away, self.filter_value)
        return changed


class TypicalLogitsWarper(LogitsProcessor):
    def __init__(self, mass: float = 0.9, filter_value: float = -float("inf"), min_tokens_to_keep: int = 1) -> None:
        self.mass, self.filter_value, self.kept = mass, filter_value, min_tokens_to_keep

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        logs = torch.nn.functional.log_softmax(scores, dim=-1)
        probs = torch.exp(logs)
        entropy = -(logs * probs).nansum(-1, keepdim=True)
        apart = torch.abs(-logs - entropy)
        ordered, indices = torch.sort(apart, descending=False)
        ordered_scores = scores.gather(-1, indices)
        sums = ordered_scores.softmax(dim=-1).cumsum(dim=-1)
        last = (sums < self.mass).sum(dim=1)
        last.clamp_(max=ordered.shape[-1] - 1)
        far = ordered > ordered.gather(1, last.view(-1, 1))
        far[..., : self.kept] = 0
        away = far.scatter(1, indices, far)
        changed = scores.masked_fill(away, self.filter_value)
        return changed


class EpsilonLogitsWarper(LogitsProcessor):
    def __init__(self, epsilon: float, filter_value: float = -float("inf"), min_tokens_to_keep: int = 1) -> None:
        self.epsilon, self.filter_value, self.kept = epsilon, filter_value, min_tokens_to_keep

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        probs = scores.softmax(dim=-1)
        away = probs < self.epsilon
        count = min(self.kept, scores.size(-1))
        away = away & (scores < torch.topk(scores, count)[0][..., -1, None])
        changed = scores.masked_fill(away, self.filter_value)
        return changed


class EtaLogitsWarper(LogitsProcessor):
    def __init__(
        self, epsilon: float, filter_value: float = -float("inf"), min_tokens_to_keep: int = 1, device: str = "cpu"
    ) -> None:
        self.epsilon = torch.tensor(epsilon, device=device)
        self.filter_value, self.kept = filter_value, min_tokens_to_keep

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        probs = scores.softmax(dim=-1)
        entropy = torch.distributions.Categorical(logits=scores).entropy()
        eta = torch.min(self.epsilon, torch.sqrt(self.epsilon) * torch.exp(-entropy))[..., None]
        away = probs < eta
        count = min(self.kept, scores.size(-1))
        away = away & (scores < torch.topk(scores, count)[0][..., -1, None])
        changed = scores.masked_fill(away, self.filter_value)
        return changed


class EncoderRepetitionPenaltyLogitsProcessor(LogitsProcessor):
    """Favours what the encoder has read."""

    def __init__(self, penalty: float, encoder_input_ids: Tensor) -> None:
        self.penalty, self.read = 1 / penalty, encoder_input_ids

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        score = torch.gather(scores, 1, self.read)
        score = torch.where(score < 0, score * self.penalty, score / self.penalty)
        changed = scores.scatter(1, self.read, score)
        return changed


def _followers(tokens, size):
    """What came after each run of `size - 1` tokens, in each row."""
    found = []
    for row in range(tokens.shape[0]):
        numbers = tokens[row].tolist()
        after = {}
        for run in zip(*(numbers[start:] for start in range(size))):
            after.setdefault(run[:-1], []).append(run[-1])
        found.append(after)
    return found


class NoRepeatNGramLogitsProcessor(LogitsProcessor):
    def __init__(self, ngram_size: int) -> None:
        self.ngram_size = ngram_size

    def banned(self, input_ids: Tensor, rows: int) -> list:
        length = input_ids.shape[-1]
        if length + 1 < self.ngram_size:
            return [[] for _ in range(rows)]
        after = _followers(input_ids, self.ngram_size)
        start = length + 1 - self.ngram_size
        return [after[row].get(tuple(input_ids[row][start:length].tolist()), []) for row in range(rows)]

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        rows = scores.shape[0]
        changed = scores.clone()
        for row, tokens in enumerate(self.banned(input_ids, rows)):
            changed[row, tokens] = -float("inf")
        return changed


class SequenceBiasLogitsProcessor(LogitsProcessor):
    """Adds to the scores of tokens, or of the last tokens of sequences whose beginning has come."""

    def __init__(self, sequence_bias: dict) -> None:
        pairs = sequence_bias.items() if isinstance(sequence_bias, dict) else sequence_bias
        self.sequence_bias = {tuple(tokens): bias for tokens, bias in pairs}
        self.single = None

    def _prepare(self, scores):
        self.single = torch.zeros((scores.shape[-1],), dtype=torch.float, device=scores.device)
        alone = {tokens[0]: bias for tokens, bias in self.sequence_bias.items() if len(tokens) == 1}
        if alone:
            self.single[list(alone)] = torch.tensor(list(alone.values()), device=scores.device)

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        if self.single is None:
            self._prepare(scores)
        bias = torch.zeros_like(scores)
        bias += self.single
        for tokens, more in self.sequence_bias.items():
            if len(tokens) == 1 or len(tokens) > input_ids.shape[1]:
                continue
            before = torch.tensor(tokens[:-1], dtype=input_ids.dtype, device=input_ids.device)
            rows = torch.eq(input_ids[:, 1 - len(tokens) :], before).prod(dim=1)
            before = None
            bias[:, tokens[-1]] += torch.where(
                rows.bool(), torch.tensor(more, device=input_ids.device), torch.tensor(0.0, device=input_ids.device)
            )
        changed = scores + bias
        return changed


class NoBadWordsLogitsProcessor(SequenceBiasLogitsProcessor):
    def __init__(self, bad_words_ids: list[list[int]], eos_token_id: int | list[int] | None = None) -> None:
        ends = eos_token_id.tolist() if isinstance(eos_token_id, torch.Tensor) else [eos_token_id]
        super().__init__({tuple(words): -math.inf for words in bad_words_ids if words not in [[end] for end in ends]})


class _Mask(LogitsProcessor):
    """Rules out a set of tokens at the steps for which `applies` holds."""

    copies = False

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        changed = scores.clone() if self.copies else scores
        indices = torch.arange(scores.shape[-1], device=scores.device)
        mask = torch.isin(indices, self.tokens)
        if self.applies(input_ids.shape[-1]):
            changed = torch.where(mask, -math.inf, scores)
        return changed


class MinLengthLogitsProcessor(_Mask):
    copies = True

    def __init__(self, min_length: int, eos_token_id: int | list[int] | Tensor, device: str = "cpu") -> None:
        self.min_length, self.tokens = min_length, _tokens(eos_token_id, device)

    def applies(self, length: int) -> bool:
        return length < self.min_length


class MinNewTokensLengthLogitsProcessor(MinLengthLogitsProcessor):
    def __init__(
        self,
        prompt_length_to_skip: int,
        min_new_tokens: int,
        eos_token_id: int | list[int] | Tensor,
        device: str = "cpu",
    ) -> None:
        super().__init__(prompt_length_to_skip + min_new_tokens, eos_token_id, device)


class SuppressTokensLogitsProcessor(_Mask):
    def __init__(self, suppress_tokens: list[int], device: str = "cpu") -> None:
        self.tokens = torch.tensor(list(suppress_tokens), device=device)

    def applies(self, length: int) -> bool:
        return True


class SuppressTokensAtBeginLogitsProcessor(SuppressTokensLogitsProcessor):
    def __init__(self, begin_suppress_tokens: list[int], begin_index: int, device: str = "cpu") -> None:
        super().__init__(begin_suppress_tokens, device)
        self.begin_index = begin_index

    def applies(self, length: int) -> bool:
        return length == self.begin_index


class _Forced(LogitsProcessor):
    """Leaves one token possible at one length."""

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        changed = scores
        if input_ids.shape[-1] == self.at:
            changed = torch.full_like(scores, -math.inf)
            changed[:, self.token] = 0
        return changed


class ForcedBOSTokenLogitsProcessor(_Forced):
    at = 1

    def __init__(self, bos_token_id: int) -> None:
        self.token = bos_token_id


class ForcedEOSTokenLogitsProcessor(_Forced):
    def __init__(self, max_length: int, eos_token_id: int | list[int] | Tensor, device: str = "cpu") -> None:
        self.at, self.token = max_length - 1, _tokens(eos_token_id, device)


class InfNanRemoveLogitsProcessor(LogitsProcessor):
    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        ends = torch.finfo(scores.dtype)
        changed = torch.where(scores != scores, 0.0, scores)
        changed = torch.where(scores == float("inf"), ends.max, changed)
        changed = torch.where(scores == -float("inf"), ends.min, changed)
        return changed


class ExponentialDecayLengthPenalty(LogitsProcessor):
    def __init__(
        self, exponential_decay_length_penalty: float, eos_token_id: int | list[int] | Tensor, input_ids_seq_length: int
    ) -> None:
        start, self.factor = exponential_decay_length_penalty
        self.start = start + input_ids_seq_length
        self.token = _tokens(eos_token_id, "cpu")

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        length = input_ids.shape[-1]
        self.token = self.token.to(scores.device)
        penalties = torch.zeros_like(scores)
        changed = scores
        if length > self.start:
            penalty = torch.abs(scores[:, self.token]) * (pow(self.factor, length - self.start) - 1)
            penalties[:, self.token] = penalty
            changed = scores + penalties
        return changed


class LogitNormalization(LogitsProcessor):
    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        changed = scores.log_softmax(dim=-1)
        return changed
