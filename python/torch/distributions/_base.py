"""What all distributions of torch.distributions share: constraints of parameters, lazy tensors, the checks of samples.

torch/distributions/{distribution,constraints,utils}.py
"""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING

import torch

from .._joining import broadcast_tensors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


# constraints.py: `check` of each kind
def _real(value):
    return value == value


def _real_vector(value):
    return _real(value).all(-1)


def _positive(value):
    return value > 0.0


def _nonnegative(value):
    return 0.0 <= value


def _nonnegative_integers(value):
    return (value % 1 == 0) & (value >= 0)


def _unit_interval(value):
    return (value >= 0) & (value <= 1)


def _between(low, high, value):
    return (low <= value) & (value <= high)


def _independent(check, dims, value):
    """Holds for an event where it holds for each of its values."""
    valid = check(value)
    return valid.reshape(valid.shape[: valid.dim() - dims] + (-1,)).all(-1)


def _boolean(value):
    return (value == 0) | (value == 1)


def _simplex(value):
    return torch.all(value >= 0, dim=-1) & ((value.sum(-1) - 1).abs() < 1e-6)


def _one_hot(value):
    is_boolean = _boolean(value)
    is_normalized = value.sum(-1).eq(1)
    return is_boolean.all(-1) & is_normalized


def _integers_to(last, value):
    return (value % 1 == 0) & (0 <= value) & (value <= last)


class _Lazy:
    """utils.py: lazy_property. Made once, with its history, and kept as an attribute."""

    def __init__(self, make: Any) -> None:
        self.make = make

    def __get__(self, owner: object, kind: type | None = None) -> Any:
        if owner is None:
            return self
        with torch.enable_grad():
            value = self.make(owner)
        setattr(owner, self.make.__name__, value)
        return value


def _tensors(*values):
    """utils.py: broadcast_all. Numbers become tensors beside the first tensor."""
    first = next((value for value in values if not isinstance(value, Number)), None)
    like = {} if first is None else {"dtype": first.dtype, "device": first.device}
    return broadcast_tensors(*(torch.tensor(value, **like) if isinstance(value, Number) else value for value in values))


def _sum_rightmost(value, dims):
    return value if dims == 0 else value.reshape(value.shape[:-dims] + (-1,)).sum(-1)


class Distribution:
    has_rsample = False
    _validate_args = True
    #: constraints by parameter, in the order of the check
    _checks = {}
    _support = None

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        Distribution._validate_args = value

    def __init__(
        self, batch_shape: torch.Size = (), event_shape: torch.Size = (), validate_args: bool | None = None
    ) -> None:
        self._batch_shape, self._event_shape = torch.Size(batch_shape), torch.Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if not self._validate_args:
            return
        for name, check in self._checks.items():
            if name not in self.__dict__ and isinstance(getattr(type(self), name), _Lazy):
                continue
            value = getattr(self, name)
            valid = check(value)
            valid.all()

    @property
    def batch_shape(self) -> torch.Size:
        return self._batch_shape

    @property
    def event_shape(self) -> torch.Size:
        return self._event_shape

    @property
    def stddev(self) -> Tensor:
        return self.variance.sqrt()

    def _extended(self, sample_shape):
        return torch.Size(sample_shape) + self._batch_shape + self._event_shape

    def _validate_sample(self, value):
        if self._validate_args and self._support is not None:
            valid = self._support(value)
            valid.all()

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
