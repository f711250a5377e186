"""torchmetrics: a short form of the metrics that training loops update; the package itself wins where it is installed.

States are small tensors on the device; what an update makes on its way is not compared with the package.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from . import functional
from ._metric import Metric, MetricCollection
from ._metrics import (
    AUROC,
    Accuracy,
    AveragePrecision,
    CatMetric,
    CohenKappa,
    ConfusionMatrix,
    F1Score,
    JaccardIndex,
    MaxMetric,
    MeanAbsoluteError,
    MeanMetric,
    MeanSquaredError,
    MinMetric,
    Perplexity,
    Precision,
    R2Score,
    Recall,
    SumMetric,
)
from ._text import BLEUScore, CharErrorRate, WordErrorRate

if TYPE_CHECKING:
    from typing import Any


__version__ = "1.8.0"
utilities = imports = wrappers = metric = aggregation = classification = sys.modules[__name__]
for _name in (
    "classification",
    "aggregation",
    "regression",
    "text",
    "metric",
    "image",
    "wrappers",
    "collections",
    "utilities",
    "utilities.imports",
):
    sys.modules[f"{__name__}.{_name}"] = sys.modules[__name__]
for _kind in ("Binary", "Multiclass", "Multilabel"):
    for _metric in (Accuracy, F1Score, Precision, Recall, AUROC, ConfusionMatrix, AveragePrecision, JaccardIndex):
        vars()[f"{_kind}{_metric.__name__}"] = _metric.of_task(_kind.lower())
__all__ = [
    "AUROC", "Accuracy", "AveragePrecision", "BLEUScore", "CatMetric", "CharErrorRate", "CohenKappa", "ConfusionMatrix", "F1Score", "JaccardIndex", "MaxMetric",
    "MeanAbsoluteError", "MeanMetric", "MeanSquaredError", "Metric", "MetricCollection", "MinMetric", "Perplexity", "Precision",
    "R2Score", "Recall", "SumMetric", "WordErrorRate", "functional",
]  # fmt: skip
__getattr__ = lacks("torchmetrics")


class Running(MeanMetric):
    """The last values of a metric."""

    def __init__(self, base_metric: Any, window: int = 5) -> None:
        super().__init__()
