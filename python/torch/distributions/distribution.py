"""torch.distributions.distribution: what every distribution has: shapes, checks of parameters and samples, a larger batch of itself."""

from __future__ import annotations

import warnings
from numbers import Number
from typing import TYPE_CHECKING

import torch

from . import constraints
from .utils import _fails, broadcast_all, lazy_property

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


def _unsaid(name):
    """What a class says for itself or does not have."""

    def raises(self):
        raise NotImplementedError(f"{type(self)} does not implement {name}")

    raises.__name__ = name
    return property(raises)


def _full(self, value, like):
    """A moment that is the same everywhere."""
    return torch.full(self._extended_shape(), value, dtype=like.dtype, device=like.device)


class Distribution:
    has_rsample = False
    has_enumerate_support = False
    _validate_args = True
    #: what `expand` spreads, tensors and distributions, by how many of their last dimensions stay; and what it hands on
    _parts: dict[str, int] | None = None
    _kept = ()

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(
        self, batch_shape: torch.Size = (), event_shape: torch.Size = (), validate_args: bool | None = None
    ) -> None:
        self._batch_shape, self._event_shape = torch.Size(batch_shape), torch.Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._validate_parameters()
        super().__init__()

    def _validate_parameters(self):
        try:
            checks = self.arg_constraints
        except NotImplementedError:
            warnings.warn(
                f"{type(self)} does not define `arg_constraints`. Its arguments are not checked.", stacklevel=3
            )
            return
        for name, constraint in checks.items():
            if constraints.is_dependent(constraint):
                continue
            if name not in self.__dict__ and isinstance(getattr(type(self), name), lazy_property):
                continue
            value = getattr(self, name)
            valid = constraint.check(value)
            if _fails(valid):
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution {self!r} "
                    f"to satisfy the constraint {constraint!r}, but found invalid values:\n{value}"
                )

    def _begin(self, validate_args, **kwargs):
        """Begins with parameters beside each other; of numbers alone there is one."""
        for name, value in zip(kwargs, broadcast_all(*kwargs.values())):
            setattr(self, name, value)
        one = all(isinstance(value, Number) for value in kwargs.values())
        shape = torch.Size() if one else getattr(self, next(iter(kwargs))).size()
        del kwargs
        Distribution.__init__(self, shape, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        # of the class here that a program's own class is derived from
        owner = next(kind for kind in type(self).__mro__ if kind.__module__.startswith(__package__))
        if self._parts is None:
            raise NotImplementedError
        new = self._get_checked_instance(owner, _instance)
        self._spread_over(new, torch.Size(batch_shape))
        return new

    def _spread_over(self, new, batch_shape):
        for name, dims in self._parts.items():
            if name in self.__dict__:
                part = self.__dict__[name]
                own = part.shape if isinstance(part, torch.Tensor) else part.batch_shape
                setattr(new, name, part.expand(batch_shape + own[len(own) - dims :]))
        for name in self._kept:
            setattr(new, name, self.__dict__[name])
        Distribution.__init__(new, batch_shape, self._event_shape, validate_args=False)
        new._validate_args = self._validate_args

    batch_shape = property(lambda self: self._batch_shape)
    event_shape = property(lambda self: self._event_shape)
    arg_constraints, support = _unsaid("arg_constraints"), _unsaid("support")
    mean, mode, variance = _unsaid("mean"), _unsaid("mode"), _unsaid("variance")

    @property
    def stddev(self) -> Tensor:
        return self.variance.sqrt()

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        raise NotImplementedError

    def sample_n(self, n: int) -> Tensor:
        warnings.warn("`sample_n(n)` will be deprecated. Use `sample((n,))` instead.", FutureWarning, stacklevel=2)
        return self.sample(torch.Size((n,)))

    def log_prob(self, value: Tensor) -> Tensor:
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Tensor:
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Tensor:
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Tensor:
        raise NotImplementedError

    def _enumerated(self, values, expand):
        """One value after the other before the batch."""
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values

    def entropy(self) -> Tensor:
        raise NotImplementedError

    def perplexity(self) -> Tensor:
        return torch.exp(self.entropy())

    def _extended_shape(self, sample_shape: Sequence[int] = ()) -> torch.Size:
        return torch.Size(sample_shape) + self._batch_shape + self._event_shape

    def _validate_sample(self, value: Tensor) -> None:
        if not isinstance(value, torch.Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        actual, wanted = value.size(), self._batch_shape + self._event_shape
        if actual[len(actual) - len(self._event_shape) :] != self._event_shape:
            raise ValueError(f"The right-most size of value must match event_shape: {actual} vs {self._event_shape}.")
        if any(1 not in pair and pair[0] != pair[1] for pair in zip(reversed(actual), reversed(wanted))):
            raise ValueError(f"Value is not broadcastable with batch_shape+event_shape: {actual} vs {wanted}.")
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(f"{type(self)} does not define `support`. Its samples are not checked.", stacklevel=2)
            return
        valid = support.check(value)
        if _fails(valid):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) "
                f"to be within the support ({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def _get_checked_instance(self, cls: type, _instance: Any = None) -> Any:
        if _instance is None and type(self).__init__ != cls.__init__:
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method "
                "must also define a custom .expand() method."
            )
        return self.__new__(type(self)) if _instance is None else _instance

    def __repr__(self) -> str:
        own = {name: self.__dict__[name] for name in self.arg_constraints if name in self.__dict__}
        shown = (f"{name}: {value if value.numel() == 1 else value.size()}" for name, value in own.items())
        return f"{type(self).__name__}({', '.join(shown)})"
