"""torch.distributions.chi2: sums of squares of normal numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import constraints
from .gamma import Gamma

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Chi2"]


class Chi2(Gamma):
    arg_constraints = {"df": constraints.positive}

    def __init__(self, df: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    df = property(lambda self: self.concentration * 2)
