"""What every metric is: states on the device, an update for each batch, a result of all of them."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._stand_ins import note

if TYPE_CHECKING:
    from typing import Any, NoReturn


class Metric(nn.Module):
    """`update` changes the states that `add_state` made, `compute` reads them; calling it does both for one batch."""

    higher_is_better = full_state_update = is_differentiable = None

    def __init__(self, **kwargs: Any) -> None:
        super().__init__()
        self._defaults, self._update_count = {}, 0
        self._computed = self._forward_cache = None
        note("short_form_runs", "library", "torchmetrics")

    def add_state(self, name: str, default: Any, dist_reduce_fx: Any = None, persistent: bool = False) -> None:
        self._defaults[name] = default
        setattr(self, name, default.clone() if isinstance(default, torch.Tensor) else list(default))

    def reset(self) -> None:
        for name, default in self._defaults.items():
            own = getattr(self, name)
            made = default.to(own.device).clone() if isinstance(default, torch.Tensor) else []
            setattr(self, name, made)
        self._update_count = 0
        self._computed = self._forward_cache = None

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        with torch.no_grad():
            self.update(*args, **kwargs)
            self._update_count += 1
            self._forward_cache = self.compute()
            return self._forward_cache

    def update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError

    def compute(self) -> NoReturn:
        raise NotImplementedError

    def _apply(self, fn, *args, **kwargs):
        made = super()._apply(fn, *args, **kwargs)
        for name in self._defaults:
            own = getattr(self, name)
            setattr(self, name, fn(own) if isinstance(own, torch.Tensor) else [fn(t) for t in own])
        return made

    def clone(self, prefix: str | None = None, postfix: Any = None) -> Any:
        return copy.deepcopy(self)

    update_called = property(lambda self: self._update_count > 0)
    device = property(
        lambda self: next(
            (v.device for v in map(self.__dict__.get, self._defaults) if isinstance(v, torch.Tensor)), None
        )
    )

    def __hash__(self) -> int:
        return id(self)


class MetricCollection(nn.ModuleDict):
    """Several metrics of the same inputs."""

    def __init__(
        self, metrics: Any, *more: Any, prefix: str | None = None, postfix: Any = None, compute_groups: bool = True
    ) -> None:
        rows = metrics if isinstance(metrics, dict) else None
        if rows is None:
            listed = [metrics, *more] if isinstance(metrics, Metric) else [*metrics, *more]
            rows = {type(m).__name__: m for m in listed}
        super().__init__(rows)
        self.prefix, self.postfix = prefix or "", postfix or ""

    def _named(self, results):
        return {f"{self.prefix}{name}{self.postfix}": value for name, value in results}

    def forward(self, *args: Any, **kwargs: Any) -> dict:
        return self._named((name, metric(*args, **kwargs)) for name, metric in self.items())

    def update(self, *args: Any, **kwargs: Any) -> None:
        for metric in self.values():
            metric.update(*args, **kwargs)

    def compute(self) -> dict:
        return self._named((name, metric.compute()) for name, metric in self.items())

    def reset(self) -> None:
        for metric in self.values():
            metric.reset()

    def clone(self, prefix: str | None = None, postfix: Any = None) -> Any:
        made = copy.deepcopy(self)
        made.prefix, made.postfix = prefix or self.prefix, postfix or self.postfix
        return made
