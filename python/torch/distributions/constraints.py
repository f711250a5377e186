"""torch.distributions.constraints: what values are allowed, as far as programs ask for it by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from .._stand_ins import lacks
from . import _base

if TYPE_CHECKING:
    from typing import Any, NoReturn


class Constraint:
    is_discrete = False
    event_dim = 0

    def check(self, value: Any) -> NoReturn:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__.removeprefix('_')}()"


def _of(name, check, dims=0, discrete=False):
    return type(name, (Constraint,), {"check": staticmethod(check), "event_dim": dims, "is_discrete": discrete})()


def _square(value):
    return torch.full(value.shape[:-2], value.shape[-2] == value.shape[-1], dtype=torch.bool, device=value.device)


def _symmetric(value):
    square = _square(value)
    return torch.isclose(value, value.mT, atol=1e-6).all(-2).all(-1) if value.shape[-2] == value.shape[-1] else square


def _positive_definite(value):
    """constraints.py: _PositiveDefinite.check"""
    symmetric = _symmetric(value)
    if not symmetric.all():
        return symmetric
    return torch.linalg.cholesky_ex(value).info.eq(0)


def _lower_cholesky(value):
    """constraints.py: _LowerCholesky.check"""
    triangle = value.tril()
    is_lower = (triangle == value).view(value.shape[:-2] + (-1,)).min(-1)[0]
    is_positive = (value.diagonal(dim1=-2, dim2=-1) > 0).min(-1)[0]
    return is_lower & is_positive


real = _of("_Real", _base._real)
real_vector = _of("_RealVector", _base._real_vector, 1)
positive = _of("_Positive", _base._positive)
nonnegative = _of("_Nonnegative", _base._nonnegative)
nonnegative_integer = _of("_NonnegativeInteger", _base._nonnegative_integers, discrete=True)
unit_interval = _of("_UnitInterval", _base._unit_interval)
boolean = _of("_Boolean", _base._boolean, discrete=True)
simplex = _of("_Simplex", _base._simplex, 1)
one_hot = _of("_OneHot", _base._one_hot, 1, True)
square = _of("_Square", _square, 2)
symmetric = _of("_Symmetric", _symmetric, 2)
positive_definite = _of("_PositiveDefinite", _positive_definite, 2)
lower_cholesky = _of("_LowerCholesky", _lower_cholesky, 2)
__getattr__ = lacks("torch.distributions.constraints")
