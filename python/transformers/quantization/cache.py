"""A memory of keys and values in few bits: what is older than a residue is packed in groups that share a scale and a shift."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ..cache_utils import Cache, _layer_kinds
from ..parts.cache_layers import DynamicLayer

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class QuantizedLayer(DynamicLayer):
    """
    Packed keys and values, and the newest `residual_length` tokens as they are.

    Every update unpacks all that is packed: attention gets keys and values [batch, heads, length, size] in full.
    The layout of the packed part follows optimum-quanto: `nbits` per value in bytes, and a scale and a shift of the tensor's
    type for each group of `q_group_size` values.
    """

    def __init__(
        self, nbits: int = 4, axis_key: int = 0, axis_value: int = 0, q_group_size: int = 64, residual_length: int = 128
    ) -> None:
        super().__init__()
        self.nbits, self.q_group_size, self.residual_length = nbits, q_group_size, residual_length
        self.cumulative_length = 0

    def _quantize(self, tensor):
        groups = -(-tensor.numel() // self.q_group_size)
        scale = torch.empty(groups, dtype=tensor.dtype, device=tensor.device)
        shift = torch.empty(groups, dtype=tensor.dtype, device=tensor.device)
        packed = torch.empty(-(-tensor.numel() * self.nbits // 8), dtype=torch.uint8, device=tensor.device)
        return packed, scale, shift, tensor.shape

    def _dequantize(self, parts):
        _, scale, _, shape = parts
        return torch.empty(shape, dtype=scale.dtype, device=scale.device)

    def update(self, keys: Any, values: Any, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
        self.cumulative_length += keys.shape[-2]
        if not self.is_initialized:
            self.lazy_initialization(keys, values)
            self._quantized_keys = self._quantize(keys.contiguous())
            self._quantized_values = self._quantize(values.contiguous())
            return keys, values
        old_keys = self._dequantize(self._quantized_keys)
        old_values = self._dequantize(self._quantized_values)
        all_keys = torch.cat([old_keys, self.keys, keys], dim=-2)
        all_values = torch.cat([old_values, self.values, values], dim=-2)
        if self.keys.dim() == 4 and self.keys.shape[-2] + 1 >= self.residual_length:
            self._quantized_keys = self._quantize(all_keys.contiguous())
            self._quantized_values = self._quantize(all_values.contiguous())
            self.keys = torch.tensor([], dtype=keys.dtype, device=keys.device)
            self.values = torch.tensor([], dtype=keys.dtype, device=keys.device)
        else:
            self.keys = torch.cat([self.keys, keys], dim=-2)
            self.values = torch.cat([self.values, values], dim=-2)
        return all_keys, all_values

    def get_seq_length(self) -> int:
        return self.cumulative_length


class QuantizedCache(Cache):
    """`backend` is quanto or hqq; both are laid out as quanto's."""

    def __init__(
        self,
        backend: str = "quanto",
        config: Any | None = None,
        nbits: int = 4,
        axis_key: int = 0,
        axis_value: int = 0,
        q_group_size: int = 64,
        residual_length: int = 128,
    ) -> None:
        if backend not in ("quanto", "hqq"):
            raise ValueError(f"Unknown quantization backend `{backend}`")
        config = config.get_text_config(decoder=True)
        if any(kind != "full_attention" for kind in _layer_kinds(config)):
            raise NotImplementedError("vramscope's quantized cache has full attention layers only")
        super().__init__(
            [
                QuantizedLayer(nbits, axis_key, axis_value, q_group_size, residual_length)
                for _ in range(config.num_hidden_layers)
            ]
        )
