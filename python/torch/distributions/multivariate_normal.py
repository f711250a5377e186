"""torch/distributions/multivariate_normal.py: a normal distribution of vectors, by the triangle of its covariance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from . import constraints
from .distribution import Distribution
from .utils import _standard_normal, lazy_property

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

_FORMS = ("covariance_matrix", "precision_matrix", "scale_tril")


def _batch_mv(matrices, vectors):
    return torch.matmul(matrices, vectors.unsqueeze(-1)).squeeze(-1)


def _batch_mahalanobis(triangles, vectors):
    """Squared lengths of the vectors after the triangles are undone; outer batches share one solution for each triangle."""
    n, inner = vectors.size(-1), triangles.dim() - 2
    batch = vectors.shape[:-1]
    outer = len(batch) - inner
    shape = [*batch[:outer]]
    for own, outer_size in zip(triangles.shape[:-2], batch[outer:]):
        shape += [outer_size // own, own]
    split = vectors.reshape((*shape, n))
    last = outer + 2 * inner
    split = split.permute([*range(outer), *range(outer, last, 2), *range(outer + 1, last, 2), last])
    flat_triangles = triangles.reshape(-1, n, n)
    flat = split.reshape(-1, flat_triangles.size(0), n).permute(1, 2, 0)
    lengths = torch.linalg.solve_triangular(flat_triangles, flat, upper=False).pow(2).sum(-2).t()
    lengths = lengths.reshape(split.shape[:-1])
    back = [place for i in range(inner) for place in (outer + i, outer + inner + i)]
    return lengths.permute([*range(outer), *back]).reshape(batch)


def _precision_to_scale_tril(precision):
    flipped = torch.linalg.cholesky(torch.flip(precision, (-2, -1)))
    inverse = torch.transpose(torch.flip(flipped, (-2, -1)), -2, -1)
    unit = torch.eye(precision.shape[-1], dtype=precision.dtype, device=precision.device)
    return torch.linalg.solve_triangular(inverse, unit, upper=False)


def _factor_of(form, matrix):
    """The lower triangle that a scale, a covariance or a precision stands for."""
    if form == "scale_tril":
        return matrix
    return torch.linalg.cholesky(matrix) if form == "covariance_matrix" else _precision_to_scale_tril(matrix)


class MultivariateNormal(Distribution):
    has_rsample = True
    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    _parts = {"loc": 1, **dict.fromkeys(_FORMS, 2)}
    _kept = ("_unbroadcasted_scale_tril",)

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        matrices = dict(zip(_FORMS, (covariance_matrix, precision_matrix, scale_tril)))
        matrices = [(name, matrix) for name, matrix in matrices.items() if matrix is not None]
        if len(matrices) != 1:
            raise ValueError(f"Exactly one of {_FORMS[0]} or {_FORMS[1]} or {_FORMS[2]} may be specified.")
        ((name, matrix),) = matrices
        if matrix.dim() < 2:
            raise ValueError(f"{name} matrix must be at least two-dimensional, with optional leading batch dimensions")
        batch = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand((*batch, -1, -1)))
        self.loc = loc.expand((*batch, -1))
        super().__init__(batch, self.loc.shape[-1:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = _factor_of(name, matrix)

    def _spread(self, matrix):
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        return self._spread(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        return self._spread(torch.matmul(self._unbroadcasted_scale_tril, self._unbroadcasted_scale_tril.mT))

    @lazy_property
    def precision_matrix(self) -> Tensor:
        return self._spread(torch.cholesky_inverse(self._unbroadcasted_scale_tril))

    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)

    @property
    def variance(self) -> Tensor:
        return self._unbroadcasted_scale_tril.pow(2).sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        eps = _standard_normal(shape, self.loc.dtype, self.loc.device)
        return self.loc + _batch_mv(self._unbroadcasted_scale_tril, eps)

    def _half_log_det(self):
        return self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        diff = value - self.loc
        lengths = _batch_mahalanobis(self._unbroadcasted_scale_tril, diff)
        half = self._half_log_det()
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + lengths) - half

    def entropy(self) -> Tensor:
        half = self._half_log_det()
        entropy = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + half
        return entropy if len(self._batch_shape) == 0 else entropy.expand(self._batch_shape)
