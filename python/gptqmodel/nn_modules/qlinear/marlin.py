"""
Marlin's kernel for cards of Ampere and later: nothing is unpacked in memory, partial sums are float32.

gptqmodel/nn_modules/qlinear/marlin.py: MarlinLinear; marlin_awq.py: AwqMarlinLinear; gptqmodel_ext/marlin/gptq_marlin.cu: c_tmp
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from . import BaseQuantLinear

if TYPE_CHECKING:
    from torch import Tensor

_HIGHEST_TILE, _WIDEST_TILE, _TILE_ROWS = 64, 256, 16
_FEWEST_BLOCKS = 128


def _frozen(tensor: Tensor) -> nn.Parameter:
    return nn.Parameter(tensor, requires_grad=False)


def _multiprocessors(device: torch.device) -> int:
    return torch.cuda.get_device_properties(device).multi_processor_count


class MarlinLinear(BaseQuantLinear):
    """4 or 8 bits without zero points."""

    def _put(self, name: str, tensor: Tensor) -> None:
        self.register_parameter(name, _frozen(tensor))

    def post_init(self) -> None:
        device = self.qweight.device
        blocks = max(_multiprocessors(device), _FEWEST_BLOCKS)
        self.workspace = torch.zeros(blocks, dtype=torch.int32, device=device)
        self.order_and_zeros(device)
        # both lie anew, in the kernel's order
        self.qweight.data = torch.empty_like(self.qweight.data)
        self.scales.data = torch.empty_like(self.scales.data)

    def order_and_zeros(self, device: torch.device) -> None:
        nothing = torch.empty(0, dtype=torch.int32, device=device)
        if self.desc_act:
            order = torch.argsort(self.g_idx).to(torch.int32)
            self.g_idx = _frozen(self.g_idx.data[order.long()])
            self.g_idx_sort_indices = order
        else:
            self.g_idx, self.g_idx_sort_indices = _frozen(nothing), nothing
        self.qzeros = _frozen(nothing)

    def forward(self, x: Tensor) -> Tensor:
        if self.scales.dtype != x.dtype:
            self.scales = _frozen(self.scales.data.to(x.dtype))
        if self.bias is not None and self.bias.dtype != x.dtype:
            self.bias.data = self.bias.data.to(x.dtype)
        rows = x.reshape(-1, x.shape[-1])
        output = torch.empty(rows.shape[0], self.out_features, dtype=x.dtype, device=x.device)
        high = min(-(-rows.shape[0] // _TILE_ROWS) * _TILE_ROWS, _HIGHEST_TILE)
        _sums = torch.empty(_multiprocessors(x.device) * high * _WIDEST_TILE, dtype=torch.float32, device=x.device)
        _ordered = torch.empty_like(rows) if self.desc_act else None
        return self.biased(output).reshape(*x.shape[:-1], self.out_features)


class AwqMarlinLinear(MarlinLinear):
    """The same kernel with zero points, for weights that AWQ packed along the outputs."""

    along_outputs = True
    has_order = False

    def order_and_zeros(self, device: torch.device) -> None:
        self.qzeros = _frozen(torch.empty_like(self.qzeros.data))
