"""torch/distributions/transforms.py: maps of samples, with the logarithm of their Jacobian; a cache of one keeps the last pair alive."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import torch
from torch.nn import functional as F

from .._stand_ins import lacks
from ._base import _between, _independent, _positive, _real, _sum_rightmost, _unit_interval

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class Transform:
    """Calls run `_call`; `.inv` is the map back."""

    bijective = True
    event_dim = 0
    sign = 1
    #: the checks of one value before the map and behind it (`domain` and `codomain`)
    _before = _behind = staticmethod(_real)

    @property
    def _codomain(self):
        """The check of what comes out; a program's own map says it as PyTorch's do."""
        if hasattr(self, "codomain"):
            return self.codomain.check
        return partial(_independent, self._behind, self.event_dim) if self.event_dim else self._behind

    def __init__(self, cache_size: int = 0) -> None:
        self._cache_size = cache_size
        self._cached_x_y = None, None
        self._inv = None

    @property
    def inv(self) -> Transform:
        # the two hold each other: what they and the cache hold lives until Python collects cycles
        if self._inv is None:
            self._inv = self._inverted()
        return self._inv

    def _inverted(self):
        return _Inverse(self)

    def __call__(self, x: Tensor) -> Any:
        if self._cache_size == 0:
            return self._call(x)
        x_old, y_old = self._cached_x_y
        if x is x_old:
            return y_old
        y = self._call(x)
        self._cached_x_y = x, y
        return y

    def _inv_call(self, y):
        if self._cache_size == 0:
            return self._inverse(y)
        x_old, y_old = self._cached_x_y
        if y is y_old:
            return x_old
        x = self._inverse(y)
        self._cached_x_y = x, y
        return x

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class _Inverse(Transform):
    def __init__(self, transform: Any) -> None:
        super().__init__(transform._cache_size)
        self._inv, self.event_dim = transform, transform.event_dim
        self._before, self._behind = transform._behind, transform._before

    def __call__(self, x: Tensor) -> Any:
        return self._inv._inv_call(x)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -self._inv.log_abs_det_jacobian(y, x)


class ComposeTransform(Transform):
    def __init__(self, parts: list[Transform], cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.parts = parts
        self.event_dim = max((part.event_dim for part in parts), default=0)
        if parts:
            self._before, self._behind = parts[0]._before, parts[-1]._behind

    def _call(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def _inverted(self):
        back = ComposeTransform([part.inv for part in reversed(self.parts)])
        back._inv = self
        return back

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        xs = [x]
        for part in self.parts[:-1]:
            xs.append(part(xs[-1]))
        xs.append(y)
        terms = []
        for part, x, y in zip(self.parts, xs[:-1], xs[1:], strict=True):
            terms.append(_sum_rightmost(part.log_abs_det_jacobian(x, y), self.event_dim - part.event_dim))
        total = terms[0]
        for term in terms[1:]:
            total = total + term
        return total


class AffineTransform(Transform):
    def __init__(self, loc: Tensor | float, scale: Tensor | float, event_dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.loc, self.scale, self.event_dim = loc, scale, event_dim

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        shape, scale = x.shape, self.scale
        if isinstance(scale, (int, float)):
            result = torch.full_like(x, math.log(abs(scale)))
        else:
            result = torch.abs(scale).log()
        if self.event_dim:
            result = result.view(result.size()[: -self.event_dim] + (-1,)).sum(-1)
            shape = shape[: -self.event_dim]
        return result.expand(shape)


class ExpTransform(Transform):
    _behind = staticmethod(_positive)

    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return x


class SigmoidTransform(Transform):
    _behind = staticmethod(_unit_interval)

    def _call(self, x):
        finfo = torch.finfo(x.dtype)
        return torch.clamp(torch.sigmoid(x), min=finfo.tiny, max=1.0 - finfo.eps)

    def _inverse(self, y):
        finfo = torch.finfo(y.dtype)
        y = y.clamp(min=finfo.tiny, max=1.0 - finfo.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -F.softplus(-x) - F.softplus(x)


class TanhTransform(Transform):
    _behind = staticmethod(partial(_between, -1.0, 1.0))

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return torch.atanh(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return 2.0 * (math.log(2.0) - x - F.softplus(-2.0 * x))


__getattr__ = lacks("torch.distributions.transforms")
