"""Metrics of texts: how far predictions are from what was said; their states lie on the CPU until somebody moves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ._metric import Metric

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


def _edits(a, b):
    """Insertions, deletions and replacements between two sequences."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


class _ErrorRate(Metric):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.add_state("errors", torch.tensor(0.0), dist_reduce_fx="sum")
        self.add_state("total", torch.tensor(0.0), dist_reduce_fx="sum")

    def _parts(self, text):
        return text.split()

    def update(self, preds: str | Sequence[str], target: str | Sequence[str]) -> None:
        preds, target = ([x] if isinstance(x, str) else x for x in (preds, target))
        pairs = [(self._parts(p), self._parts(t)) for p, t in zip(preds, target)]
        self.errors += sum(_edits(p, t) for p, t in pairs)
        self.total += sum(len(t) for _, t in pairs)

    def compute(self) -> Tensor:
        return self.errors / self.total


class WordErrorRate(_ErrorRate):
    """Edits of words for each word that was said."""


class CharErrorRate(_ErrorRate):
    """Edits of letters for each letter that was said."""

    def _parts(self, text):
        return text


class BLEUScore(Metric):
    """Shares of predicted runs of words that were said; geometric mean, and a penalty for short predictions."""

    def __init__(
        self, n_gram: int = 4, smooth: bool = False, weights: Sequence[float] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.n_gram = n_gram
        for name in ("preds_len", "target_len"):
            self.add_state(name, torch.tensor(0.0), dist_reduce_fx="sum")
        for name in ("numerator", "denominator"):
            self.add_state(name, torch.zeros(n_gram), dist_reduce_fx="sum")

    def update(self, preds: str | Sequence[str], target: Sequence[str | Sequence[str]]) -> None:
        preds = [preds] if isinstance(preds, str) else preds
        target = [[t] if isinstance(t, str) else t for t in target]
        for pred, said in zip(preds, target):
            words, texts = pred.split(), [t.split() for t in said]
            self.preds_len += len(words)
            self.target_len += min((len(t) for t in texts), key=lambda n: abs(n - len(words)), default=0)
            for n in range(1, self.n_gram + 1):
                runs = [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
                known = [[tuple(t[i : i + n]) for i in range(len(t) - n + 1)] for t in texts]
                kept = sum(min(runs.count(run), max(k.count(run) for k in known)) for run in set(runs)) if known else 0
                self.numerator[n - 1] += kept
                self.denominator[n - 1] += len(runs)

    def compute(self) -> Tensor:
        if self.numerator.min() == 0:
            return torch.tensor(0.0)
        precision = torch.log(self.numerator / self.denominator).sum() / self.n_gram
        penalty = torch.where(self.preds_len > self.target_len, 1.0, torch.exp(1 - self.target_len / self.preds_len))
        return penalty * torch.exp(precision)
