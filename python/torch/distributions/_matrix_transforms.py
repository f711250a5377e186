"""Maps of torch.distributions.transforms to shares and to triangles of matrices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch.nn import functional as F

from . import constraints
from ._elementwise_transforms import _clipped_sigmoid
from ._maps import Transform
from .utils import tril_matrix_to_vec, vec_to_tril_matrix

if TYPE_CHECKING:
    from torch import Tensor


class _Shaped(Transform):
    """Without settings: one map is like another of its class; an event has dimensions."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self))

    def _at_least(self, shape, dims=1):
        if len(shape) < dims:
            raise ValueError("Too few dimensions on input")


class SoftmaxTransform(_Shaped):
    domain, codomain = constraints.real_vector, constraints.simplex

    def _call(self, x):
        probs = (x - x.max(-1, True)[0]).exp()
        return probs / probs.sum(-1, True)

    def _inverse(self, y):
        return y.log()

    def forward_shape(self, shape: torch.Size) -> torch.Size:
        self._at_least(shape)
        return shape

    inverse_shape = forward_shape


class StickBreakingTransform(_Shaped):
    domain, codomain = constraints.real_vector, constraints.simplex
    bijective = True

    def _call(self, x):
        offset = x.shape[-1] + 1 - x.new_ones(x.shape[-1]).cumsum(-1)
        z = _clipped_sigmoid(x - offset.log())
        left = (1 - z).cumprod(-1)
        y = F.pad(z, [0, 1], value=1) * F.pad(left, [1, 0], value=1)
        return y

    def _inverse(self, y):
        broken = y[..., :-1]
        offset = y.shape[-1] - y.new_ones(broken.shape[-1]).cumsum(-1)
        left = 1 - broken.cumsum(-1)
        left = torch.clamp(left, min=torch.finfo(y.dtype).tiny)
        x = broken.log() - left.log() + offset.log()
        return x

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        offset = x.shape[-1] + 1 - x.new_ones(x.shape[-1]).cumsum(-1)
        x = x - offset.log()
        result = (-x + F.logsigmoid(x) + y[..., :-1].log()).sum(-1)
        return result

    def forward_shape(self, shape: torch.Size) -> torch.Size:
        self._at_least(shape)
        return shape[:-1] + (shape[-1] + 1,)

    def inverse_shape(self, shape: torch.Size) -> torch.Size:
        self._at_least(shape)
        return shape[:-1] + (shape[-1] - 1,)


class LowerCholeskyTransform(_Shaped):
    domain, codomain = constraints.independent(constraints.real, 2), constraints.lower_cholesky

    def _call(self, x):
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y):
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(_Shaped):
    domain, codomain = constraints.independent(constraints.real, 2), constraints.positive_definite

    def _call(self, x):
        x = LowerCholeskyTransform()(x)
        return x @ x.mT

    def _inverse(self, y):
        y = torch.linalg.cholesky(y)
        return LowerCholeskyTransform().inv(y)


class CorrCholeskyTransform(Transform):
    domain, codomain = constraints.real_vector, constraints.corr_cholesky
    bijective = True

    def _call(self, x):
        x = torch.tanh(x)
        eps = torch.finfo(x.dtype).eps
        x = x.clamp(min=-1 + eps, max=1 - eps)
        r = vec_to_tril_matrix(x, diag=-1)
        z = r**2
        left = (1 - z).sqrt().cumprod(-1)
        r = r + torch.eye(r.shape[-1], dtype=r.dtype, device=r.device)
        y = r * F.pad(left[..., :-1], [1, 0], value=1)
        return y

    def _inverse(self, y):
        left = 1 - torch.cumsum(y * y, dim=-1)
        shifted = F.pad(left[..., :-1], [1, 0], value=1)
        lower = tril_matrix_to_vec(y, diag=-1)
        beside = tril_matrix_to_vec(shifted, diag=-1)
        t = lower / beside.sqrt()
        x = (t.log1p() - t.neg().log1p()) / 2
        return x

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor, intermediates: None = None) -> Tensor:
        left = 1 - (y * y).cumsum(dim=-1)
        lower = tril_matrix_to_vec(left, diag=-2)
        of_sticks = 0.5 * lower.log().sum(-1)
        of_tanh = -2 * (x + F.softplus(-2 * x) - math.log(2.0)).sum(dim=-1)
        return of_sticks + of_tanh

    def forward_shape(self, shape: torch.Size) -> torch.Size:
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        n = shape[-1]
        d = round((0.25 + 2 * n) ** 0.5 + 0.5)
        if d * (d - 1) // 2 != n:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return shape[:-1] + (d, d)

    def inverse_shape(self, shape: torch.Size) -> torch.Size:
        if len(shape) < 2:
            raise ValueError("Too few dimensions on input")
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return shape[:-2] + (shape[-1] * (shape[-1] - 1) // 2,)
