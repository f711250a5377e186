"""
The matrices of all experts in few bits: in 8 bits with a scale per block, or packed into words by GPTQ or AWQ.

One tensor for each kind of matrix; GPT-QModel has one per expert, whose sum is the same. transformers/integrations/
finegrained_fp8.py: FP8Experts; gptqmodel: experts as linear layers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from .words import WORD_BITS

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class QuantizedExperts(nn.Module):
    """`source` is the layer's experts as they are computed: its sizes, its activation and its biases are used."""

    def __init__(self, source: Any, config: Any) -> None:
        super().__init__()
        self.config, self.num_experts = source.config, source.num_experts
        self._apply_gate = source._apply_gate
        self.act_fn = source.act_fn
        self.outputs = {}
        for name in ("gate_up_proj", "down_proj"):
            matrices = getattr(source, name)
            count, outputs, inputs = matrices.shape if not source.transposed else matrices.transpose(1, 2).shape
            self.outputs[name] = outputs
            for part, tensor in self.tensors(config, count, outputs, inputs, matrices.dtype).items():
                self.register_buffer(f"{name}_{part}", tensor)
            if source.biased:
                self.register_buffer(f"{name}_bias", getattr(source, f"{name}_bias").data)

    def product(self, name: str, states: Tensor) -> Any:
        rows = states.shape[0]
        narrow = self.narrow_inputs(states)
        result = torch.empty(rows, self.outputs[name], dtype=states.dtype, device=states.device)
        del narrow
        return result

    def forward(self, states: Tensor, index: int, weights: Tensor) -> Any:
        tokens, size = states.size(0), states.size(-1)
        choices = index.size(-1)
        shares = weights.reshape(-1)
        sorted_ids, order = torch.sort(index.reshape(-1))
        chosen = states[order // choices]
        result = self.product("gate_up_proj", chosen)
        result = self._apply_gate(result)
        result = self.product("down_proj", result)
        weighted = result * shares[order].unsqueeze(-1)
        back = torch.empty_like(order)
        back[order] = torch.arange(order.size(0), device=order.device)
        weighted = weighted[back]
        summed = weighted.view(tokens, choices, size).sum(dim=1)
        return summed.to(states.dtype)


class Float8Experts(QuantizedExperts):
    def tensors(self, config: Any, count: int, outputs: Any, inputs: Any, dtype: torch.dtype) -> dict:
        block = config.weight_block_size
        scales = (count, 1, 1) if block is None else (count, -(-outputs // block[0]), -(-inputs // block[1]))
        return {
            "weight": torch.empty(count, outputs, inputs, dtype=torch.float8_e4m3fn),
            "scale_inv": torch.empty(scales, dtype=torch.float32),
        }

    def narrow_inputs(self, states: Tensor) -> tuple:
        rows, size = states.shape
        return (
            torch.empty(rows, size, dtype=torch.float8_e4m3fn, device=states.device),
            torch.empty(rows, -(-size // 128), dtype=torch.float32, device=states.device),
        )


class PackedExperts(QuantizedExperts):
    def tensors(self, config: Any, count: int, outputs: Any, inputs: Any, dtype: torch.dtype) -> dict:
        groups = 1 if config.group_size == -1 else -(-inputs // config.group_size)
        return {
            "qweight": torch.empty(count, inputs * config.bits // WORD_BITS, outputs, dtype=torch.int32),
            "qzeros": torch.empty(count, groups, outputs * config.bits // WORD_BITS, dtype=torch.int32),
            "scales": torch.empty(count, groups, outputs, dtype=dtype),
        }

    def narrow_inputs(self, states: Tensor) -> None:
        return None


BY_METHOD = {"fp8": Float8Experts, "gptq": PackedExperts, "awq": PackedExperts}
