"""SwiGLU as plain operators. xformers has a fused kernel for 16 bits on newer GPUs; its savings are not modelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


F = nn.functional
__getattr__ = lacks("xformers.ops.swiglu_op")


def swiglu(x: Tensor, w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any, *, op: Any = None) -> Tensor:
    """silu(x w1 + b1) * (x w2 + b2), times w3, plus b3; x [..., inputs], results [..., outputs]."""
    if x.is_cuda and (x.dtype in (torch.float16, torch.bfloat16) or torch.is_autocast_enabled()):
        note("unverified_op", "op", "xformers::swiglu (as separate operators)")
    shape = x.shape[:-1]
    x = x.reshape(-1, x.shape[-1])
    hidden = F.silu(F.linear(x, w1, b1)) * F.linear(x, w2, b2)
    return F.linear(hidden, w3, b3).reshape(*shape, -1)


class SwiGLU(nn.Module):
    """Three linear maps; the first two in one weight unless `_pack_weights=False`."""

    def __init__(
        self,
        in_features: int,
        hidden_features: Any,
        out_features: int | None = None,
        bias: bool = True,
        *,
        _pack_weights: bool = True,
    ) -> None:
        super().__init__()
        out_features = out_features or in_features
        hidden_features = hidden_features or in_features
        self.in_features, self.hidden_features, self.out_features = in_features, hidden_features, out_features
        if _pack_weights:
            self.w12 = nn.Linear(in_features, 2 * hidden_features, bias=bias)
        else:
            self.w12 = None
            self.w1 = nn.Linear(in_features, hidden_features, bias=bias)
            self.w2 = nn.Linear(in_features, hidden_features, bias=bias)
        self.w3 = nn.Linear(hidden_features, out_features, bias=bias)
        self.op = None

    def forward(self, x: Tensor) -> Tensor:
        if self.w12 is None:
            first, second = (self.w1.weight, self.w1.bias), (self.w2.weight, self.w2.bias)
        else:
            weights = self.w12.weight.view(2, self.hidden_features, self.in_features).unbind(0)
            bias = self.w12.bias
            biases = (None, None) if bias is None else bias.view(2, self.hidden_features).unbind(0)
            first, second = zip(weights, biases)
        return swiglu(x, *first, *second, self.w3.weight, self.w3.bias)
