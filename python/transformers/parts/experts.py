"""
Experts: feed-forward parts of which each token passes a few, chosen by a router. Three ways to compute them.

As in the decoders, the names that a function keeps, and their order, are part of the memory model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch._stand_ins import note
from torch.nn import functional as F

from ..activations import ACT2FN

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


def _apart(states, weight, bias, transposed):
    """One matrix per row: [pairs, in] by [pairs, out, in]."""
    if transposed:
        result = torch.bmm(states.unsqueeze(1), weight).squeeze(1)
    else:
        result = torch.bmm(weight, states.unsqueeze(-1)).squeeze(-1)
    if bias is not None:
        result.add_(bias)
    return result


def batched_experts(experts: torch.nn.Module, states: Tensor, index: Tensor, weights: Tensor) -> Tensor:
    """Gathers a copy of an expert's matrices for every pair of a token and an expert."""
    choices = index.size(-1)
    tokens = states.size(0)
    size = states.size(-1)
    chosen = states.repeat_interleave(choices, dim=0)
    shares = weights.reshape(-1)
    ids = index.reshape(-1)
    ids = ids.clamp(0, experts.num_experts - 1)
    matrices = experts.gate_up_proj[ids]
    biases = experts.gate_up_proj_bias[ids] if experts.biased else None
    result = _apart(chosen, matrices, biases, experts.transposed)
    result = experts._apply_gate(result)
    matrices = experts.down_proj[ids]
    biases = experts.down_proj_bias[ids] if experts.biased else None
    result = _apart(result, matrices, biases, experts.transposed)
    weighted = result * shares.unsqueeze(-1)
    summed = weighted.view(tokens, choices, size).sum(dim=1)
    return summed.to(states.dtype)


class _GroupedProduct(torch.autograd.Function):
    """What the library does itself where PyTorch has no grouped product: one product per group, into zeros."""

    @staticmethod
    def forward(context: Any, states: Tensor, matrices: Any, ends: Any) -> Any:
        context.save_for_backward(states, matrices)
        result = torch.zeros(states.size(0), matrices.size(2), device=states.device, dtype=states.dtype)
        torch.mm(states, matrices[0], out=result)
        return result

    @staticmethod
    def backward(context: Any, gradient: Any) -> tuple:
        states, matrices = context.saved_tensors
        of_states = torch.zeros_like(states)
        of_matrices = torch.zeros_like(matrices)
        torch.mm(gradient, matrices[0].T, out=of_states)
        torch.mm(states.T, gradient, out=of_matrices[0])
        return of_states, of_matrices, None


def _product(states, matrices, ends):
    if torch.__version__ >= (2, 10):
        return F.grouped_mm(states.to(matrices.dtype), matrices, offs=ends)
    if torch.__version__ >= (2, 9):
        return torch._grouped_mm(states.to(matrices.dtype), matrices, offs=ends)
    return _GroupedProduct.apply(states, matrices, ends)


def _together(states, matrices, ends, bias, transposed):
    """Rows in groups, one matrix per group: [pairs, in] by [experts, out, in]."""
    if transposed:
        result = _product(states, matrices, ends)
    else:
        result = _product(states, matrices.transpose(-2, -1), ends)
    if bias is not None:
        result.add_(bias)
    return result


def grouped_experts(experts: torch.nn.Module, states: Tensor, index: Tensor, weights: Tensor) -> Tensor:
    """Sorts the pairs by expert and multiplies all of them at once."""
    device = states.device
    choices = index.size(-1)
    tokens = states.size(0)
    size = states.size(-1)
    shares = weights.reshape(-1)
    ids = index.reshape(-1)
    sorted_ids, order = torch.sort(ids)
    chosen = states[order // choices]
    sorted_shares = shares[order]
    countable = sorted_ids.float() if device.type in ("cpu", "mps") else sorted_ids.int()
    counts = torch.histc(countable, bins=experts.num_experts, min=0, max=experts.num_experts - 1)
    ends = torch.cumsum(counts, dim=0, dtype=torch.int32)
    nobody = (sorted_ids >= experts.num_experts).unsqueeze(-1)
    sorted_ids.clamp_(max=experts.num_experts - 1)
    matrices = experts.gate_up_proj
    biases = experts.gate_up_proj_bias[sorted_ids] if experts.biased else None
    chosen.masked_fill_(nobody, 0.0)
    result = _together(chosen, matrices, ends, biases, experts.transposed)
    result = experts._apply_gate(result)
    matrices = experts.down_proj
    biases = experts.down_proj_bias[sorted_ids] if experts.biased else None
    result = _together(result, matrices, ends, biases, experts.transposed)
    weighted = result * sorted_shares.unsqueeze(-1)
    weighted.masked_fill_(nobody, 0.0)
    back = torch.empty_like(order)
    back[order] = torch.arange(order.size(0), device=device)
    weighted = weighted[back]
    summed = weighted.view(tokens, choices, size).sum(dim=1)
    return summed.to(states.dtype)


def even_share(mask: Tensor | None, pairs: Any) -> Callable:
    """A function from an expert's number to its (choices, tokens), where `mask` [experts, choices, tokens] says who has whom."""
    count = mask.shape[0]
    note("experts_even", "experts", str(count))
    return lambda number: torch.nonzero_static(mask[number], size=-(-pairs // count)).unbind(1)


def eager_experts(experts: Any, states: Tensor, index: int, weights: Tensor) -> Any:
    """One expert after another."""
    summed = torch.zeros_like(states)
    with torch.no_grad():
        mask = F.one_hot(index, num_classes=experts.num_experts)
        mask = mask.permute(2, 1, 0)
        hit = torch.greater(mask.sum(dim=(-1, -2)), 0).nonzero()
    pairs_of = even_share(mask, index.numel())
    for number in hit:
        number = number[0]
        choice, token = pairs_of(number)
        chosen = states[token]
        result = experts.one(chosen, number)
        result = result * weights[token, choice, None]
        summed.index_add_(0, token, result.to(summed.dtype))
    return summed


IMPLEMENTATIONS = {"grouped_mm": grouped_experts, "batched_mm": batched_experts}


class Experts(nn.Module):
    """
    The matrices of all experts in two tensors.

    `transposed` says that they are [experts, in, out], `biased` that there are biases.
    """

    transposed = False
    biased = False

    def __init__(self, config: PreTrainedConfig, count: int, intermediate_size: int) -> None:
        super().__init__()
        self.config = config
        self.num_experts = count
        up = (2 * intermediate_size, config.hidden_size)
        down = (config.hidden_size, intermediate_size)
        if self.transposed:
            up, down = up[::-1], down[::-1]
        self.gate_up_proj = nn.Parameter(torch.empty(count, *up))
        if self.biased:
            self.gate_up_proj_bias = nn.Parameter(torch.empty(count, 2 * intermediate_size))
        self.down_proj = nn.Parameter(torch.empty(count, *down))
        if self.biased:
            self.down_proj_bias = nn.Parameter(torch.empty(count, config.hidden_size))
        self.act_fn = ACT2FN[config.hidden_act]

    def _apply_gate(self, both):
        gate, up = both.chunk(2, dim=-1)
        return self.act_fn(gate) * up

    def one(self, states: Tensor, number: int) -> Any:
        """What the expert of that number makes of some tokens."""
        gate, up = F.linear(states, self.gate_up_proj[number]).chunk(2, dim=-1)
        states = self.act_fn(gate) * up
        states = F.linear(states, self.down_proj[number])
        return states

    def forward(self, states: Tensor, index: Tensor, weights: Tensor) -> Tensor:
        name = self.config._experts_implementation
        if name != "eager" and name not in IMPLEMENTATIONS:
            known = ", ".join(sorted(IMPLEMENTATIONS))
            raise KeyError(f"vramscope has no experts implementation {name!r}; it has eager, {known}")
        return IMPLEMENTATIONS.get(name, eager_experts)(self, states, index, weights)
