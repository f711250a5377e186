"""Maps of torch.distributions.transforms that are made of others: side by side, or by a distribution's own functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import constraints
from ._maps import Transform
from .utils import _sum_rightmost, lazy_property

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


class _Joined(Transform):
    def __init__(self, tseq: Sequence[Transform], dim: int, cache_size: int) -> None:
        if not all(isinstance(t, Transform) for t in tseq):
            raise AssertionError("All elements of tseq must be Transform instances")
        if cache_size:
            tseq = [t.with_cache(cache_size) for t in tseq]
        super().__init__(cache_size)
        self.transforms, self.dim = list(tseq), dim

    bijective = property(lambda self: all(t.bijective for t in self.transforms))

    def _check(self, value, length):
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} out of range for tensor with {value.dim()} dimensions")
        if value.size(self.dim) != length:
            raise AssertionError(f"size({self.dim}) = {value.size(self.dim)} must equal length {length}")


class CatTransform(_Joined):
    """Parts of one dimension, each with a map of its own."""

    _init_names = ("transforms", "dim", "lengths")

    def __init__(
        self, tseq: Sequence[Transform], dim: int = 0, lengths: Sequence[int] | None = None, cache_size: int = 0
    ) -> None:
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})")

    @lazy_property
    def event_dim(self) -> int:
        return max(t.event_dim for t in self.transforms)

    @lazy_property
    def length(self) -> int:
        return sum(self.lengths)

    def _through(self, value, maps):
        self._check(value, self.length)
        parts = []
        start = 0
        for transform, length in zip(maps, self.lengths):
            part = value.narrow(self.dim, start, length)
            parts.append(transform(part))
            start = start + length
        return torch.cat(parts, dim=self.dim)

    def _call(self, x):
        return self._through(x, self.transforms)

    def _inverse(self, y):
        return self._through(y, [t.inv for t in self.transforms])

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        self._check(x, self.length)
        self._check(y, self.length)
        terms = []
        start = 0
        for transform, length in zip(self.transforms, self.lengths):
            xslice = x.narrow(self.dim, start, length)
            yslice = y.narrow(self.dim, start, length)
            term = transform.log_abs_det_jacobian(xslice, yslice)
            if transform.event_dim < self.event_dim:
                term = _sum_rightmost(term, self.event_dim - transform.event_dim)
            terms.append(term)
            start = start + length
        dim = (self.dim - x.dim() if self.dim >= 0 else self.dim) + self.event_dim
        return torch.cat(terms, dim=dim) if dim < 0 else sum(terms)

    @constraints.dependent_property
    def domain(self) -> constraints.Constraint:
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self) -> constraints.Constraint:
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)


class StackTransform(_Joined):
    """Slices of one dimension, each with a map of its own."""

    _init_names = ("transforms", "dim")

    def __init__(self, tseq: Sequence[Transform], dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(tseq, dim, cache_size)

    def _slice(self, value):
        return [value.select(self.dim, i) for i in range(value.size(self.dim))]

    def _through(self, value, maps):
        self._check(value, len(self.transforms))
        slices = []
        for part, transform in zip(self._slice(value), maps):
            slices.append(transform(part))
        return torch.stack(slices, dim=self.dim)

    def _call(self, x):
        return self._through(x, self.transforms)

    def _inverse(self, y):
        return self._through(y, [t.inv for t in self.transforms])

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        self._check(x, len(self.transforms))
        self._check(y, len(self.transforms))
        terms = []
        for xslice, yslice, transform in zip(self._slice(x), self._slice(y), self.transforms):
            terms.append(transform.log_abs_det_jacobian(xslice, yslice))
        return torch.stack(terms, dim=self.dim)

    @constraints.dependent_property
    def domain(self) -> constraints.Constraint:
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self) -> constraints.Constraint:
        return constraints.stack([t.codomain for t in self.transforms], self.dim)


class CumulativeDistributionTransform(Transform):
    """To where a number stands among all of a distribution."""

    bijective = True
    codomain = constraints.unit_interval
    sign = 1
    _init_names = ("distribution",)

    def __init__(self, distribution: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.distribution = distribution

    domain = property(lambda self: self.distribution.support)

    def _call(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return self.distribution.log_prob(x)
