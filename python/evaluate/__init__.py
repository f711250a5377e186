"""evaluate: metrics by name. Scores that lists of classes or numbers give are computed; those of texts are 0, which the report says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sklearn import metrics as _scores

from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any


__version__ = "0.4.6"

_F1 = {"accuracy": _scores.accuracy_score, "f1": _scores.f1_score}
_OF_NUMBERS = {
    "accuracy": {"accuracy": _scores.accuracy_score},
    "f1": {"f1": _scores.f1_score},
    "precision": {"precision": _scores.precision_score},
    "recall": {"recall": _scores.recall_score},
    "roc_auc": {"roc_auc": _scores.roc_auc_score},
    "mse": {"mse": _scores.mean_squared_error},
    "mae": {"mae": _scores.mean_absolute_error},
    "matthews_correlation": {"matthews_correlation": _scores.matthews_corrcoef},
    "glue/mrpc": _F1,
    "glue/qqp": _F1,
    "glue/cola": {"matthews_correlation": _scores.matthews_corrcoef},
    "glue": {"accuracy": _scores.accuracy_score},
}
_TEXTS = {
    "bleu": ("bleu", "precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length"),
    "sacrebleu": ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"),
    "rouge": ("rouge1", "rouge2", "rougeL", "rougeLsum"),
    "meteor": ("meteor",),
    "wer": (),
    "cer": (),
    "squad": ("exact_match", "f1"),
    "squad_v2": ("exact", "f1", "total", "HasAns_exact", "HasAns_f1", "best_f1"),
    "seqeval": ("overall_precision", "overall_recall", "overall_f1", "overall_accuracy"),
    "perplexity": ("perplexities", "mean_perplexity"),
    "mean_iou": ("mean_iou", "mean_accuracy", "overall_accuracy", "per_category_iou", "per_category_accuracy"),
}
_LISTS = frozenset({"precisions", "counts", "totals", "perplexities", "per_category_iou", "per_category_accuracy"})


class EvaluationModule:
    """A metric: what was added, until it is computed."""

    def __init__(self, name: str, config_name: str | None = None) -> None:
        self.name, self.config_name = name, config_name
        self._forget()

    def _forget(self):
        self._predictions, self._references = [], []

    def add(
        self,
        *,
        prediction: Any = None,
        predictions: Any = None,
        reference: Any = None,
        references: Any = None,
        **_: Any,
    ) -> None:
        self._predictions.append(predictions if prediction is None else prediction)
        self._references.append(references if reference is None else reference)

    def add_batch(self, *, predictions: Any = None, references: Any = None, **_: Any) -> None:
        for kept, more in ((self._predictions, predictions), (self._references, references)):
            kept.extend(more.tolist() if hasattr(more, "tolist") else () if more is None else more)

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> dict | float:
        if predictions is not None:
            self.add_batch(predictions=predictions, references=references)
        said, real = self._predictions, self._references
        self._forget()
        scores = _OF_NUMBERS.get(f"{self.name}/{self.config_name}") or _OF_NUMBERS.get(self.name)
        if scores is not None:
            return {name: float(score(real, said, **options)) for name, score in scores.items()}
        note("placeholder_data", "library", f"evaluate.{self.name}")
        names = _TEXTS[self.name]
        return {name: [0.0] * 4 if name in _LISTS else 0.0 for name in names} if names else 0.0


Metric = EvaluationModule


def load(path: str, config_name: str | None = None, *_: Any, **__: Any) -> EvaluationModule:
    """A metric by its name, or by the last part of a path."""
    name = path.rstrip("/").rpartition("/")[2].removesuffix(".py")
    if name not in _OF_NUMBERS and name not in _TEXTS:
        known = ", ".join(sorted({*_TEXTS, *(key for key in _OF_NUMBERS if "/" not in key)}))
        raise FileNotFoundError(f"Couldn't find a module script at {path}. vramscope's evaluate knows {known}")
    return EvaluationModule(name, config_name)


class _Combined:
    """Several metrics as one."""

    def __init__(self, evaluations: Any) -> None:
        self._parts = [load(e) if isinstance(e, str) else e for e in evaluations]

    def __getattr__(self, name: str) -> Any:
        if name not in ("add", "add_batch"):
            raise AttributeError(name)

        def for_all(**kwargs):
            for part in self._parts:
                getattr(part, name)(**kwargs)

        return for_all

    def compute(self, **kwargs: Any) -> dict:
        return {name: score for part in self._parts for name, score in part.compute(**kwargs).items()}


combine = _Combined

__getattr__ = lacks("evaluate")
