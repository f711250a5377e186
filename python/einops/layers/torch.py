"""Rearrange and Reduce as torch modules."""

from torch import nn

from ..operations import prepare, transform


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
    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern, self.axes_lengths = pattern, axes_lengths

    def forward(self, input):
        return self._apply_pattern(input, "rearrange")

    def __repr__(self):
        return self._described()


class Reduce(_Layer):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern, self.reduction, self.axes_lengths = pattern, reduction, axes_lengths

    def forward(self, input):
        return self._apply_pattern(input, self.reduction)

    def __repr__(self):
        return self._described(self.reduction)
