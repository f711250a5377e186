"""torch.distributions.constraints: what values are allowed (torch/distributions/constraints.py).

A check of a tensor of any shape gives booleans of its batch's shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .utils import _fails

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

    from torch import Tensor

__all__ = """cat corr_cholesky dependent dependent_property greater_than greater_than_eq half_open_interval independent integer_interval
interval is_dependent less_than lower_cholesky lower_triangular multinomial nonnegative nonnegative_integer one_hot positive
positive_definite positive_integer positive_semidefinite real real_vector simplex square stack symmetric unit_interval boolean
Constraint MixtureSameFamilyConstraint""".split()


class Constraint:
    is_discrete = False
    event_dim = 0

    def check(self, value: Tensor) -> NoReturn:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__.removeprefix('_')}()"


def _of(name: str, check: Callable, dims: int = 0, discrete: bool = False, base: type = Constraint) -> Any:
    return type(name, (base,), {"check": staticmethod(check), "event_dim": dims, "is_discrete": discrete})()


def _boolean(value: Tensor) -> Tensor:
    return (value == 0) | (value == 1)


def _one_hot(value: Tensor) -> Tensor:
    is_boolean = _boolean(value)
    is_normalized = value.sum(-1).eq(1)
    return is_boolean.all(-1) & is_normalized


def _real(value: Tensor) -> Tensor:
    return value == value


def _simplex(value: Tensor) -> Tensor:
    return torch.all(value >= 0, dim=-1) & ((value.sum(-1) - 1).abs() < 1e-6)


def _square(value: Tensor) -> Tensor:
    return torch.full(value.shape[:-2], value.shape[-2] == value.shape[-1], dtype=torch.bool, device=value.device)


def _symmetric(value: Tensor) -> Tensor:
    square = _square(value)
    if _fails(square):
        return square
    return torch.isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


def _positive_definite(value: Tensor) -> Tensor:
    """constraints.py: _PositiveDefinite.check"""
    symmetric = _symmetric(value)
    if _fails(symmetric):
        return symmetric
    return torch.linalg.cholesky_ex(value).info.eq(0)


def _positive_semidefinite(value: Tensor) -> Tensor:
    """constraints.py: _PositiveSemidefinite.check"""
    symmetric = _symmetric(value)
    if _fails(symmetric):
        return symmetric
    return torch.linalg.eigvalsh(value).ge(0).all(-1)


def _lower_triangular(value: Tensor) -> Tensor:
    lower = value.tril()
    return (lower == value).view(value.shape[:-2] + (-1,)).min(-1)[0]


def _lower_cholesky(value: Tensor) -> Tensor:
    """constraints.py: _LowerCholesky.check"""
    lower = value.tril()
    is_lower = (lower == value).view(value.shape[:-2] + (-1,)).min(-1)[0]
    is_positive = (value.diagonal(dim1=-2, dim2=-1) > 0).min(-1)[0]
    return is_lower & is_positive


def _corr_cholesky(value: Tensor) -> Tensor:
    """constraints.py: _CorrCholesky.check"""
    tolerance = torch.finfo(value.dtype).eps * value.size(-1) * 10
    length = torch.linalg.norm(value.detach(), dim=-1)
    is_unit = (length - 1.0).abs().le(tolerance).all(dim=-1)
    return _lower_cholesky(value) & is_unit


class _Dependent(Constraint):
    """What other values decide; nothing checks it."""

    def __init__(self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented) -> None:
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def _known(self, value: Any) -> Any:
        if value is NotImplemented:
            raise NotImplementedError("it cannot be determined statically")
        return value

    is_discrete = property(lambda self: self._known(self._is_discrete))
    event_dim = property(lambda self: self._known(self._event_dim))

    def __call__(self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented) -> _Dependent:
        return _Dependent(
            is_discrete=self._is_discrete if is_discrete is NotImplemented else is_discrete,
            event_dim=self._event_dim if event_dim is NotImplemented else event_dim,
        )

    def check(self, x: Tensor) -> NoReturn:
        raise ValueError("Cannot determine validity of dependent constraint")


class _DependentProperty(property, _Dependent):
    """A property of a distribution that is a constraint, which its parameters decide."""

    def __init__(
        self, fn: Callable | None = None, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented
    ) -> None:
        super().__init__(fn)
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def __call__(self, fn: Callable) -> _DependentProperty:
        return _DependentProperty(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


def is_dependent(constraint: Constraint) -> bool:
    return isinstance(constraint, _Dependent)


class _IndependentConstraint(Constraint):
    """The last dimensions of a batch count as one event."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        self.base_constraint, self.reinterpreted_batch_ndims = base_constraint, reinterpreted_batch_ndims

    is_discrete = property(lambda self: self.base_constraint.is_discrete)
    event_dim = property(lambda self: self.base_constraint.event_dim + self.reinterpreted_batch_ndims)

    def check(self, value: Tensor) -> Tensor:
        result = self.base_constraint.check(value)
        if result.dim() < self.reinterpreted_batch_ndims:
            wanted = self.base_constraint.event_dim + self.reinterpreted_batch_ndims
            raise ValueError(f"Expected value.dim() >= {wanted} but got {value.dim()}")
        result = result.reshape(result.shape[: result.dim() - self.reinterpreted_batch_ndims] + (-1,))
        return result.all(-1)

    def __repr__(self) -> str:
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamilyConstraint(Constraint):
    """What each component of a mixture allows."""

    def __init__(self, base_constraint: Constraint) -> None:
        self.base_constraint = base_constraint

    is_discrete = property(lambda self: self.base_constraint.is_discrete)
    event_dim = property(lambda self: self.base_constraint.event_dim)

    def check(self, value: Tensor) -> Tensor:
        result = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        if value.dim() < self.event_dim:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        result = result.reshape(result.shape[: value.dim() - self.event_dim] + (-1,))
        return result.all(-1)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_constraint!r})"


class _Bounded(Constraint):
    """Between bounds; the check is a class's own."""

    _names: tuple = ("lower_bound", "upper_bound")

    def __init__(self, *bounds: Any, **named: Any) -> None:
        for name, bound in (*zip(self._names, bounds), *named.items()):
            setattr(self, name, bound)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)}" for name in self._names)
        return f"{super().__repr__()[:-2]}({shown})"


def _kind(name: str, names: Sequence[str], check: Callable, discrete: bool = False) -> type:
    return type(name, (_Bounded,), {"_names": tuple(names), "check": check, "is_discrete": discrete})


_LOWER, _UPPER = ("lower_bound",), ("upper_bound",)
greater_than = _GreaterThan = _kind("_GreaterThan", _LOWER, lambda self, value: self.lower_bound < value)
greater_than_eq = _GreaterThanEq = _kind("_GreaterThanEq", _LOWER, lambda self, value: self.lower_bound <= value)
less_than = _LessThan = _kind("_LessThan", _UPPER, lambda self, value: value < self.upper_bound)
interval = _Interval = _kind(
    "_Interval", _LOWER + _UPPER, lambda self, value: (self.lower_bound <= value) & (value <= self.upper_bound)
)
half_open_interval = _HalfOpenInterval = _kind(
    "_HalfOpenInterval", _LOWER + _UPPER, lambda self, value: (self.lower_bound <= value) & (value < self.upper_bound)
)
integer_interval = _IntegerInterval = _kind(
    "_IntegerInterval",
    _LOWER + _UPPER,
    lambda self, value: (value % 1 == 0) & (self.lower_bound <= value) & (value <= self.upper_bound),
    True,
)
_IntegerGreaterThan = _kind(
    "_IntegerGreaterThan", _LOWER, lambda self, value: (value % 1 == 0) & (value >= self.lower_bound), True
)
_IntegerLessThan = _kind(
    "_IntegerLessThan", _UPPER, lambda self, value: (value % 1 == 0) & (value <= self.upper_bound), True
)


class _Multinomial(_Bounded):
    _names = _UPPER
    is_discrete, event_dim = True, 1

    def check(self, x: Tensor) -> Tensor:
        return (x >= 0).all(dim=-1) & (x.sum(dim=-1) <= self.upper_bound)


class _Cat(Constraint):
    """Parts of one dimension, each with a constraint of its own."""

    def __init__(self, cseq: Sequence[Constraint], dim: int = 0, lengths: Sequence[int] | None = None) -> None:
        self.cseq, self.dim = list(cseq), dim
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)

    is_discrete = property(lambda self: any(c.is_discrete for c in self.cseq))
    event_dim = property(lambda self: max(c.event_dim for c in self.cseq))

    def check(self, value: Tensor) -> Tensor:
        parts, start = [], 0
        for constraint, length in zip(self.cseq, self.lengths):
            parts.append(constraint.check(value.narrow(self.dim, start, length)))
            start += length
        return torch.cat(parts, self.dim)


class _Stack(Constraint):
    """Slices of one dimension, each with a constraint of its own."""

    def __init__(self, cseq: Sequence[Constraint], dim: int = 0) -> None:
        self.cseq, self.dim = list(cseq), dim

    is_discrete = property(lambda self: any(c.is_discrete for c in self.cseq))

    @property
    def event_dim(self) -> int:
        dim = max(c.event_dim for c in self.cseq)
        return dim + 1 if self.dim + dim < 0 else dim

    def check(self, value: Tensor) -> Tensor:
        slices = [value.select(self.dim, i) for i in range(value.size(self.dim))]
        return torch.stack([c.check(v) for v, c in zip(slices, self.cseq)], self.dim)


dependent, dependent_property, independent = _Dependent(), _DependentProperty, _IndependentConstraint
multinomial, cat, stack = _Multinomial, _Cat, _Stack
boolean = _of("_Boolean", _boolean, discrete=True)
one_hot = _of("_OneHot", _one_hot, 1, True)
nonnegative_integer = _IntegerGreaterThan(0)
positive_integer = _IntegerGreaterThan(1)
real = _of("_Real", _real)
real_vector = _IndependentConstraint(real, 1)
positive, nonnegative = _GreaterThan(0.0), _GreaterThanEq(0.0)
unit_interval = _Interval(0.0, 1.0)
simplex = _of("_Simplex", _simplex, 1)
lower_triangular = _of("_LowerTriangular", _lower_triangular, 2)
lower_cholesky = _of("_LowerCholesky", _lower_cholesky, 2)
corr_cholesky = _of("_CorrCholesky", _corr_cholesky, 2)
square = _of("_Square", _square, 2)
symmetric = _of("_Symmetric", _symmetric, 2, base=type(square))
positive_semidefinite = _of("_PositiveSemidefinite", _positive_semidefinite, 2, base=type(symmetric))
positive_definite = _of("_PositiveDefinite", _positive_definite, 2, base=type(symmetric))

# the classes of single constraints, which packages patch and derive from
for _single in (boolean, one_hot, real, simplex, lower_triangular, lower_cholesky, corr_cholesky, square, symmetric):
    vars()[type(_single).__name__] = type(_single)
_PositiveSemidefinite, _PositiveDefinite = type(positive_semidefinite), type(positive_definite)
