"""
The distributions that training scripts use most, and the divergences between them.

torch/distributions/*.py; which tensor is kept (`probs` or `logits` are made when they are asked for, and then stay) is part of the
memory model.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

import torch
from torch.nn import functional as F

from .._joining import broadcast_tensors
from ._base import (
    Distribution,
    _boolean,
    _integers_to,
    _Lazy,
    _one_hot,
    _positive,
    _real,
    _real_vector,
    _simplex,
    _sum_rightmost,
    _tensors,
    _unit_interval,
)
from .utils import logits_to_probs, probs_to_logits

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


class Normal(Distribution):
    has_rsample = True
    _checks = {"loc": _real, "scale": _positive}
    _support = staticmethod(_real)

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        self.loc, self.scale = _tensors(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)

    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)
    stddev = property(lambda self: self.scale)
    variance = property(lambda self: self.scale.pow(2))

    def sample(self, sample_shape: tuple = ()) -> Tensor:
        shape = self._extended(sample_shape)
        with torch.no_grad():
            return torch.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        shape = self._extended(sample_shape)
        eps = torch.empty(shape, dtype=self.loc.dtype, device=self.loc.device).normal_()
        return self.loc + eps * self.scale

    def log_prob(self, value: Any) -> Tensor:
        self._validate_sample(value)
        var = self.scale**2
        log_scale = self.scale.log()
        return -((value - self.loc) ** 2) / (2 * var) - log_scale - math.log(math.sqrt(2 * math.pi))

    def entropy(self) -> Tensor:
        return 0.5 + 0.5 * math.log(2 * math.pi) + torch.log(self.scale)


class _OfProbsOrLogits(Distribution):
    """One of the two is given; the other one is made when it is asked for."""

    def _given(self, probs, logits):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        return probs is not None

    @_Lazy
    def logits(self) -> Any:
        return probs_to_logits(self.probs, self._is_binary)

    @_Lazy
    def probs(self) -> Any:
        return logits_to_probs(self.logits, self._is_binary)


class Categorical(_OfProbsOrLogits):
    _is_binary = False
    _checks = {"probs": _simplex, "logits": _real_vector}

    def __init__(
        self, probs: Tensor | None = None, logits: Tensor | None = None, validate_args: bool | None = None
    ) -> None:
        if self._given(probs, logits):
            self.probs = probs / probs.sum(-1, keepdim=True)
            self._param = self.probs
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
            self._param = self.logits
        self._num_events = self._param.size(-1)
        self._support = partial(_integers_to, self._num_events - 1)
        super().__init__(self._param.size()[:-1], validate_args=validate_args)

    param_shape = property(lambda self: self._param.size())
    mode = property(lambda self: self.probs.argmax(dim=-1))

    def sample(self, sample_shape: tuple = ()) -> Tensor:
        sample_shape = torch.Size(sample_shape)
        rows = self.probs.reshape(-1, self._num_events)
        drawn = torch.multinomial(rows, sample_shape.numel(), True).T
        return drawn.reshape(self._extended(sample_shape))

    def log_prob(self, value: Any) -> Tensor:
        self._validate_sample(value)
        value = value.long().unsqueeze(-1)
        value, log_pmf = broadcast_tensors(value, self.logits)
        value = value[..., :1]
        return log_pmf.gather(-1, value).squeeze(-1)

    def entropy(self) -> Tensor:
        logits = torch.clamp(self.logits, min=torch.finfo(self.logits.dtype).min)
        p_log_p = logits * self.probs
        return -p_log_p.sum(-1)

    def enumerate_support(self, expand: bool = True) -> Any:
        values = torch.arange(self._num_events, dtype=torch.long, device=self._param.device)
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values


class OneHotCategorical(Distribution):
    _checks = {"probs": _simplex, "logits": _real_vector}
    _support = staticmethod(_one_hot)

    def __init__(
        self, probs: Tensor | None = None, logits: Tensor | None = None, validate_args: bool | None = None
    ) -> None:
        self._categorical = Categorical(probs, logits)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    mean = property(lambda self: self._categorical.probs)

    def sample(self, sample_shape: tuple = ()) -> Tensor:
        probs = self._categorical.probs
        drawn = self._categorical.sample(sample_shape)
        return F.one_hot(drawn, self._categorical._num_events).to(probs)

    def log_prob(self, value: Any) -> Tensor:
        self._validate_sample(value)
        _, indices = value.max(-1)
        return self._categorical.log_prob(indices)

    def entropy(self) -> Tensor:
        return self._categorical.entropy()


class OneHotCategoricalStraightThrough(OneHotCategorical):
    has_rsample = True

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        samples = self.sample(sample_shape)
        probs = self._categorical.probs
        return samples + (probs - probs.detach())


class Bernoulli(_OfProbsOrLogits):
    _is_binary = True
    _checks = {"probs": _unit_interval, "logits": _real}
    _support = staticmethod(_boolean)

    def __init__(
        self,
        probs: Tensor | int | float | None = None,
        logits: Tensor | int | float | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if self._given(probs, logits):
            (self.probs,) = _tensors(probs)
            self._param = self.probs
        else:
            (self.logits,) = _tensors(logits)
            self._param = self.logits
        super().__init__(self._param.size(), validate_args=validate_args)

    mean = property(lambda self: self.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))

    def sample(self, sample_shape: tuple = ()) -> Tensor:
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand(self._extended(sample_shape)))

    def log_prob(self, value: Any) -> Tensor:
        self._validate_sample(value)
        logits, value = _tensors(self.logits, value)
        return -F.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Tensor:
        return F.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")


class Independent(Distribution):
    """The last dimensions of the batch are those of one event."""

    def __init__(
        self, base_distribution: Any, reinterpreted_batch_ndims: int, validate_args: bool | None = None
    ) -> None:
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims
        self.has_rsample = base_distribution.has_rsample
        shape = base_distribution.batch_shape + base_distribution.event_shape
        event = reinterpreted_batch_ndims + len(base_distribution.event_shape)
        super().__init__(shape[: len(shape) - event], shape[len(shape) - event :], validate_args=validate_args)

    mean = property(lambda self: self.base_dist.mean)
    variance = property(lambda self: self.base_dist.variance)

    def sample(self, sample_shape: tuple = ()) -> Tensor:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Any) -> Tensor:
        log_prob = self.base_dist.log_prob(value)
        return _sum_rightmost(log_prob, self.reinterpreted_batch_ndims)

    def entropy(self) -> Tensor:
        entropy = self.base_dist.entropy()
        return _sum_rightmost(entropy, self.reinterpreted_batch_ndims)


def _kl_normal(p, q):
    var_ratio = (p.scale / q.scale).pow(2)
    t1 = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (var_ratio + t1 - 1 - var_ratio.log())


def _kl_categorical(p, q):
    t = p.probs * (p.logits - q.logits)
    t[(q.probs == 0).expand_as(t)] = math.inf
    t[(p.probs == 0).expand_as(t)] = 0
    return t.sum(-1)


_DIVERGENCES = {Normal: _kl_normal, Categorical: _kl_categorical}


_REGISTERED: dict[tuple[type, type], Callable] = {}


def register_kl(type_p: type, type_q: type) -> Callable:
    """Registers a program's own divergence between two kinds of distributions (torch/distributions/kl.py)."""

    def register(function):
        _REGISTERED[type_p, type_q] = function
        return function

    return register


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    for pair in product(type(p).__mro__, type(q).__mro__) if _REGISTERED else ():
        if pair in _REGISTERED:
            return _REGISTERED[pair](p, q)
    if isinstance(p, Independent) and isinstance(q, Independent):
        return _sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)
    if isinstance(p, OneHotCategorical) and isinstance(q, OneHotCategorical):
        return kl_divergence(p._categorical, q._categorical)
    if type(p) is not type(q) or type(p) not in _DIVERGENCES:
        raise NotImplementedError(
            f"vramscope has no KL(p || q) for p {type(p).__name__} and q {type(q).__name__}; it has: "
            + ", ".join(kind.__name__ for kind in _DIVERGENCES)
        )
    return _DIVERGENCES[type(p)](p, q)
