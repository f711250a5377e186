"""The metrics by name: each a few sums on the device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import functional
from ._metric import Metric

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class _Mean(Metric):
    """A sum and a count."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.add_state("total", torch.tensor(0.0), dist_reduce_fx="sum")
        self.add_state("count", torch.tensor(0.0), dist_reduce_fx="sum")

    def _add(self, values):
        self.total = self.total + values.sum()
        self.count = self.count + values.numel()

    def compute(self) -> Any:
        return self.total / self.count


class _OfClasses(_Mean):
    """A share of predictions that are right, by whatever weights."""

    def __init__(
        self,
        task: Any = None,
        num_classes: int | None = None,
        num_labels: int | None = None,
        threshold: float = 0.5,
        average: str = "micro",
        top_k: int = 1,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        self.task, self.num_classes, self.threshold, self.top_k = task, num_classes or num_labels, threshold, top_k

    @classmethod
    def of_task(cls, task: Any) -> Any:
        def make(num_classes=None, **kwargs):
            return cls(task, num_classes, **kwargs)

        return make

    def update(self, preds: Tensor, target: Any) -> None:
        self._add(functional._agreement(preds, target, self.threshold))


class Accuracy(_OfClasses):
    pass


class F1Score(_OfClasses):
    pass


class Precision(_OfClasses):
    pass


class Recall(_OfClasses):
    pass


class JaccardIndex(_OfClasses):
    pass


class CohenKappa(_OfClasses):
    pass


class _KeepsAll(_OfClasses):
    """Keeps the scores of every batch until it is reset."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.add_state("preds", [], dist_reduce_fx="cat")
        self.add_state("target", [], dist_reduce_fx="cat")

    def update(self, preds: Tensor, target: Any) -> None:
        self.preds.append(preds.detach())
        self.target.append(target)

    def compute(self) -> Any:
        return functional._agreement(torch.cat(self.preds), torch.cat(self.target), self.threshold).float().mean()


class AUROC(_KeepsAll):
    pass


class AveragePrecision(_KeepsAll):
    pass


class ConfusionMatrix(_OfClasses):
    """A table of counts."""

    def __init__(self, task: Any = None, num_classes: int = 2, **kwargs: Any) -> None:
        super().__init__(task, num_classes, **kwargs)
        self.add_state(
            "confmat", torch.zeros(self.num_classes, self.num_classes, dtype=torch.long), dist_reduce_fx="sum"
        )

    def update(self, preds: Tensor, target: Any) -> None:
        self.confmat = self.confmat + functional._agreement(preds, target, self.threshold).sum()

    def compute(self) -> Any:
        return self.confmat


class MeanSquaredError(_Mean):
    def __init__(self, squared: bool = True, num_outputs: int = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.squared = squared

    def update(self, preds: Tensor, target: Any) -> None:
        difference = preds - target
        self._add(difference * difference)

    def compute(self) -> Any:
        return super().compute() if self.squared else super().compute().sqrt()


class MeanAbsoluteError(_Mean):
    def update(self, preds: Tensor, target: Any) -> None:
        self._add((preds - target).abs())


class R2Score(MeanSquaredError):
    pass


class Perplexity(_Mean):
    def __init__(self, ignore_index: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.ignore_index = ignore_index

    def update(self, preds: Tensor, target: Tensor) -> None:
        probabilities = torch.softmax(preds.reshape(-1, preds.shape[-1]), dim=1)
        self._add(-probabilities[torch.arange(target.numel(), device=target.device), target.reshape(-1)].log())

    def compute(self) -> Any:
        return super().compute().exp()


class MeanMetric(_Mean):
    def __init__(self, nan_strategy: str = "warn", **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def update(self, value: Any, weight: float = 1.0) -> None:
        self._add(torch.as_tensor(value, dtype=torch.float32, device=self.total.device))


class SumMetric(MeanMetric):
    def compute(self) -> Any:
        return self.total


class MinMetric(SumMetric):
    pass


class MaxMetric(SumMetric):
    pass


class CatMetric(Metric):
    def __init__(self, nan_strategy: str = "warn", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.add_state("value", [], dist_reduce_fx="cat")

    def update(self, value: Any) -> None:
        self.value.append(torch.as_tensor(value))

    def compute(self) -> Tensor:
        return torch.cat([v.reshape(-1) for v in self.value])
