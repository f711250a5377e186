"""sklearn.metrics: scores of lists of classes and numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


__getattr__ = lacks("sklearn.metrics")


def _list(values):
    """Values in a list; those of one column as if they lay in a row, as sklearn takes them."""
    found = values.tolist() if hasattr(values, "tolist") else list(values)
    is_column = all(isinstance(row, list) and len(row) == 1 for row in found)
    return [row[0] for row in found] if is_column else found


def accuracy_score(y_true: Sequence, y_pred: Sequence, **_: Any) -> Any:
    pairs = list(zip(_list(y_true), _list(y_pred)))
    return sum(a == b for a, b in pairs) / max(len(pairs), 1)


def _counts(y_true, y_pred, positive):
    pairs = list(zip(_list(y_true), _list(y_pred)))
    hit = sum(a == positive and b == positive for a, b in pairs)
    return hit, sum(b == positive for _, b in pairs), sum(a == positive for a, _ in pairs)


def _by_class(y_true, y_pred, labels):
    """The counts of each class; rows that say yes or no of each have a class in each column."""
    true, said = _list(y_true), _list(y_pred)
    if true and isinstance(true[0], list):
        return [_counts(list(a), list(b), 1) for a, b in zip(zip(*true), zip(*said))]
    return [_counts(true, said, c) for c in labels or sorted({*true, *said})]


def _averaged(score):
    def metric(y_true, y_pred, *, labels=None, pos_label=1, average="binary", **_):
        if average == "binary":
            return score(*_counts(y_true, y_pred, pos_label))
        counts = _by_class(y_true, y_pred, labels)
        if average == "micro":
            return score(*map(sum, zip(*counts)))
        scores = [score(*one) for one in counts]
        if average == "weighted":
            return sum(one * real for one, (_, _, real) in zip(scores, counts)) / max(sum(c[2] for c in counts), 1)
        return scores if average is None else sum(scores) / max(len(scores), 1)

    return metric


precision_score = _averaged(lambda hit, said, real: hit / said if said else 0.0)
recall_score = _averaged(lambda hit, said, real: hit / real if real else 0.0)
f1_score = _averaged(lambda hit, said, real: 2 * hit / (said + real) if said + real else 0.0)
balanced_accuracy_score = lambda y_true, y_pred, **_: recall_score(y_true, y_pred, average="macro")


def precision_recall_fscore_support(y_true: Sequence, y_pred: Sequence, *, average: Any = None, **_: Any) -> tuple:
    options = {"average": average or "macro"}
    return (
        precision_score(y_true, y_pred, **options),
        recall_score(y_true, y_pred, **options),
        f1_score(y_true, y_pred, **options),
        None,
    )


def confusion_matrix(y_true: Sequence, y_pred: Sequence, *, labels: Any = None, **_: Any) -> Any:
    import numpy as np

    classes = labels or sorted({*_list(y_true), *_list(y_pred)})
    table = [[0] * len(classes) for _ in classes]
    for a, b in zip(_list(y_true), _list(y_pred)):
        table[classes.index(a)][classes.index(b)] += 1
    return np.array(table)


def classification_report(y_true: Sequence, y_pred: Sequence, *, output_dict: bool = False, **_: Any) -> dict | str:
    score = accuracy_score(y_true, y_pred)
    return {"accuracy": score} if output_dict else f"accuracy {score:.2f}"


def roc_auc_score(y_true: Sequence, y_score: Any, **_: Any) -> Any:
    """By ranks; of several classes 0.5, as scores are placeholders."""
    scores = _list(y_score)
    if scores and isinstance(scores[0], list):
        return 0.5
    ranked = sorted(zip(scores, _list(y_true)))
    positive = sum(b for _, b in ranked)
    negative = len(ranked) - positive
    if not positive or not negative:
        return 0.5
    return (sum(i + 1 for i, (_, b) in enumerate(ranked) if b) - positive * (positive + 1) / 2) / (positive * negative)


average_precision_score = matthews_corrcoef = roc_auc_score


def log_loss(y_true: Sequence, y_pred: Any, *, normalize: bool = True, **_: Any) -> Any:
    """Of probabilities of the second class, or of each class."""
    pairs = zip(_list(y_pred), _list(y_true))
    chosen = [row[int(c)] if isinstance(row, list) else row if c else 1 - row for row, c in pairs]
    total = -sum(math.log(min(max(float(p), 1e-15), 1 - 1e-15)) for p in chosen)
    return total / max(len(chosen), 1) if normalize else total


def mean_squared_error(y_true: Sequence, y_pred: Sequence, *, squared: bool = True, **_: Any) -> Any:
    pairs = list(zip(_list(y_true), _list(y_pred)))
    found = sum((a - b) ** 2 for a, b in pairs) / max(len(pairs), 1)
    return found if squared else found**0.5


def mean_absolute_error(y_true: Sequence, y_pred: Sequence, **_: Any) -> Any:
    pairs = list(zip(_list(y_true), _list(y_pred)))
    return sum(abs(a - b) for a, b in pairs) / max(len(pairs), 1)


def r2_score(y_true: Sequence, y_pred: Sequence, **_: Any) -> Any:
    values = _list(y_true)
    mean = sum(values) / max(len(values), 1)
    spread = sum((v - mean) ** 2 for v in values)
    return 1 - mean_squared_error(y_true, y_pred) * len(values) / spread if spread else 0.0


class _Display:
    """A picture of scores; nothing is drawn."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.__dict__.update(kwargs)

    def plot(self, *_: Any, **__: Any) -> _Display:
        note("drawing_skipped", "library", "sklearn.metrics")
        return self

    @classmethod
    def from_predictions(cls, *_: Any, **__: Any) -> _Display:
        return cls().plot()

    from_estimator = from_predictions


class ConfusionMatrixDisplay(_Display):
    pass


class RocCurveDisplay(_Display):
    pass


class PrecisionRecallDisplay(_Display):
    pass
