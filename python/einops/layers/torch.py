"""Rearrange and Reduce as torch modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from ..operations import prepare, transform

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class _Layer(nn.Module):
    def _apply_pattern(self, tensor, operation):
        return transform(
            prepare(self.pattern, operation, tuple(self.axes_lengths), tensor.dim()),
            tensor,
            operation,
            self.axes_lengths,
        )

    def _described(self, *more):
        texts = [repr(self.pattern), *(repr(m) for m in more), *(f"{k}={v}" for k, v in self.axes_lengths.items())]
        return f"{type(self).__name__}({', '.join(texts)})"


class Rearrange(_Layer):
    def __init__(self, pattern: str, **axes_lengths: int) -> None:
        super().__init__()
        self.pattern, self.axes_lengths = pattern, axes_lengths

    def forward(self, input: Tensor) -> Tensor:
        return self._apply_pattern(input, "rearrange")

    def __repr__(self) -> str:
        return self._described()


class Reduce(_Layer):
    def __init__(self, pattern: str, reduction: str, **axes_lengths: Any) -> None:
        super().__init__()
        self.pattern, self.reduction, self.axes_lengths = pattern, reduction, axes_lengths

    def forward(self, input: Tensor) -> Tensor:
        return self._apply_pattern(input, self.reduction)

    def __repr__(self) -> str:
        return self._described(self.reduction)
