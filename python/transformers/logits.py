"""What sampling does to the scores of the next token [batch, vocabulary], in the library's order."""

import torch


class TemperatureLogitsWarper:
    def __init__(self, temperature):
        self.temperature = temperature

    def __call__(self, input_ids, scores):
        changed = scores / self.temperature
        return changed


class RepetitionPenaltyLogitsProcessor:
    def __init__(self, penalty):
        self.penalty = penalty

    def __call__(self, input_ids, scores):
        score = torch.gather(scores, 1, input_ids)
        score = torch.where(score < 0, score * self.penalty, score / self.penalty)
        changed = scores.scatter(1, input_ids, score)
        return changed


class TopKLogitsWarper:
    def __init__(self, top_k, filter_value=-float("inf"), min_tokens_to_keep=1):
        self.top_k, self.filter_value = max(top_k, min_tokens_to_keep), filter_value

    def __call__(self, input_ids, scores):
        count = min(self.top_k, scores.size(-1))
        away = scores < torch.topk(scores, count)[0][..., -1, None]
        changed = scores.masked_fill(away, self.filter_value)
        return changed


class TopPLogitsWarper:
    def __init__(self, top_p, filter_value=-float("inf"), min_tokens_to_keep=1):
        self.top_p, self.filter_value, self.kept = top_p, filter_value, min_tokens_to_keep

    def __call__(self, input_ids, scores):
        ordered, places = torch.sort(scores, descending=False)
        sums = ordered.softmax(dim=-1).cumsum(dim=-1)
        low = sums <= (1 - self.top_p)
        low[..., -self.kept :] = 0
        away = low.scatter(1, places, low)
        changed = scores.masked_fill(away, self.filter_value)
        return changed


def processors_for(settings):
    """The processors that a GenerationConfig asks for."""
    found = []
    if settings.repetition_penalty not in (None, 1.0):
        found.append(RepetitionPenaltyLogitsProcessor(settings.repetition_penalty))
    if settings.do_sample:
        if settings.temperature not in (None, 1.0):
            found.append(TemperatureLogitsWarper(settings.temperature))
        if settings.top_k:
            found.append(TopKLogitsWarper(settings.top_k))
        if settings.top_p is not None and settings.top_p < 1.0:
            found.append(TopPLogitsWarper(settings.top_p))
    return found
