"""What all layers with packed weights have. gptqmodel/nn_modules/qlinear/__init__.py: BaseQuantLinear"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor

WORD_BITS = 32


class BaseQuantLinear(nn.Module):
    """
    A linear layer whose weight lies in 32-bit words: `qweight`, packed along the inputs [inputs * bits / 32, outputs] or along the
    outputs [inputs, outputs * bits / 32], `qzeros` [groups, outputs * bits / 32] and `scales` [groups, outputs] of 16 bits.
    """

    # whether a gradient flows through the kernel
    SUPPORTS_TRAINING = False
    REQUIRES_FORMAT_V2 = False
    along_outputs = False
    has_order = True

    def __init__(
        self,
        bits: int,
        group_size: int,
        desc_act: bool,
        sym: bool,
        in_features: int,
        out_features: int,
        bias: bool = False,
        pack_dtype: Any = torch.int32,
        register_buffers: bool = True,
        dtype: Any = None,
        **_: Any,
    ) -> None:
        super().__init__()
        self.bits, self.in_features, self.out_features = bits, in_features, out_features
        self.group_size = in_features if group_size in (-1, None) else group_size
        # one group per output has no order
        self.desc_act, self.sym, self.pack_dtype = desc_act and group_size != -1, sym, pack_dtype
        self.maxq = 2**bits - 1
        self.adapter = None
        dtype = torch.float16 if dtype is None else dtype
        groups, words = -(-in_features // self.group_size), out_features * bits // WORD_BITS
        packed = (in_features, words) if self.along_outputs else (in_features * bits // WORD_BITS, out_features)
        self._put("qweight", torch.empty(packed, dtype=pack_dtype))
        if self.has_order:
            self._put("g_idx", torch.empty(in_features, dtype=torch.int32))
        self._put("scales", torch.empty(groups, out_features, dtype=dtype))
        self._put("qzeros", torch.empty(groups, words, dtype=pack_dtype))
        self.register_buffer("bias", torch.zeros(out_features, dtype=dtype) if bias else None)

    def _put(self, name: str, tensor: Tensor) -> None:
        self.register_buffer(name, tensor)

    @property
    def weight(self) -> Tensor:
        return self.qweight

    def post_init(self) -> None:
        """What the kernel makes of the weights when they are on their device. They are a model's weights, buffers or not."""
        for name in ("qweight", "qzeros", "scales", "g_idx"):
            tensor = getattr(self, name, None)
            if tensor is not None:
                torch._C.tag(tensor, "parameter")

    def biased(self, output: Tensor) -> Tensor:
        return output if self.bias is None else output.add_(self.bias)
