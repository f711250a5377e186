"""What recurs in recurrent_gemma: a convolution along the sequence and a gated recurrence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class SqrtBoundDerivative(torch.autograd.Function):
    """A square root whose slope is bounded near zero."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Any:
        ctx.save_for_backward(x)
        return torch.sqrt(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        bounded = torch.clip(4.0 * x, min=1 / 1000.0**2)
        return grad / torch.sqrt(bounded)


class RecurrentGemmaRglru(nn.Module):
    """A recurrence with two gates. The last state stays in the module, with its history in training."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        heads = config.num_attention_heads
        self.heads = heads
        self.width = config.lru_width // heads
        self.recurrent_param = nn.Parameter(torch.empty([config.lru_width]))
        self.input_gate_weight = nn.Parameter(torch.empty([heads, self.width, self.width]))
        self.input_gate_bias = nn.Parameter(torch.empty([heads, self.width]))
        self.recurrent_gate_weight = nn.Parameter(torch.empty([heads, self.width, self.width]))
        self.recurrent_gate_bias = nn.Parameter(torch.empty([heads, self.width]))
        self.recurrent_states = None

    def forward(self, x: Tensor, position_ids: Tensor | None) -> Any:
        batch, length, size = x.shape
        reset = position_ids[:, :, None] == 0
        by_head = x.reshape(batch * length, self.heads, self.width)
        by_head = by_head.permute(1, 0, 2)
        gate = torch.baddbmm(self.input_gate_bias[:, None, :], by_head, self.input_gate_weight)
        input_gate = torch.sigmoid(gate.transpose(0, 1).reshape(batch, length, size))
        gate = torch.baddbmm(self.recurrent_gate_bias[:, None, :], by_head, self.recurrent_gate_weight)
        recurrent_gate = torch.sigmoid(gate.transpose(0, 1).reshape(batch, length, size))
        log_gate = -8.0 * recurrent_gate * F.softplus(self.recurrent_param)
        recurrent_gate = torch.exp(log_gate)
        square = torch.exp(2 * log_gate)
        gated = x * input_gate
        multiplier = SqrtBoundDerivative.apply(1 - square)
        multiplier = reset + ~reset * multiplier
        normal = gated * multiplier.type(x.dtype)
        hidden_states, last = self._scan(
            hidden_states=normal, recurrent_gate=recurrent_gate, reset=reset, state=self.recurrent_states
        )
        self.recurrent_states = last
        return hidden_states

    def _scan(self, hidden_states, recurrent_gate, reset, state, dtype=torch.float32):
        recurrent_gate = recurrent_gate * ~reset
        if hidden_states.shape[1] == 1:
            if state is None:
                return hidden_states, hidden_states[:, 0].type(dtype)
            result = recurrent_gate.type(dtype) * state[:, None].to(recurrent_gate.device)
            result += hidden_states.type(dtype)
            return result.type(hidden_states.dtype), result[:, -1]
        if state is None:
            state = torch.zeros(hidden_states[:, 0].shape, dtype=dtype, device=hidden_states.device)
        result = torch.zeros_like(hidden_states)
        for i in range(hidden_states.shape[1]):
            state = recurrent_gate[:, i].type(dtype) * state.to(recurrent_gate.device)
            state = state + hidden_states[:, i].type(dtype)
            result[:, i] = state.type(hidden_states.dtype)
        return result, state


class RecurrentGemmaRecurrentBlock(nn.Module):
    def __init__(self, config: PreTrainedConfig, layer_idx: int) -> None:
        super().__init__()
        size, width = config.hidden_size, config.lru_width
        self.size, self.lru_width, self.kernel = size, width, config.conv1d_width
        self.linear_y = nn.Linear(size, width)
        self.linear_x = nn.Linear(size, width)
        self.linear_out = nn.Linear(width, size)
        self.conv_1d = nn.Conv1d(width, width, kernel_size=self.kernel, groups=width, padding=self.kernel - 1)
        self.rg_lru = RecurrentGemmaRglru(config)
        self.act_fn = ACT2FN[config.hidden_activation]
        self.conv1d_state = None

    def set_up(self, batch: int, device: Any, dtype: Any) -> None:
        self.rg_lru.recurrent_states = torch.zeros((batch, self.lru_width), device=device, dtype=torch.float32)
        self.conv1d_state = torch.zeros((batch, self.size, self.kernel - 1), device=device, dtype=dtype)

    def forward(
        self,
        activations: Any,
        position_ids: Tensor | None,
        attention_mask: Tensor | None,
        use_cache: bool = True,
        **_: Any,
    ) -> Any:
        batch, length, _size = activations.shape
        y = self.linear_y(activations)
        y = self.act_fn(y)
        x = self.linear_x(activations)
        x = x.transpose(1, 2)
        if use_cache:
            if self.conv1d_state is None or self.conv1d_state.shape[0] != batch:
                self.set_up(batch, activations.device, activations.dtype)
            if position_ids.shape[1] != 1:
                self.conv1d_state = F.pad(x, (self.kernel - x.shape[-1] - 1, 0))
                x = self.conv_1d(x)[..., :length]
            else:
                recent = torch.cat((self.conv1d_state, x), -1)
                x = torch.sum(recent * self.conv_1d.weight[:, 0, :], dim=-1) + self.conv_1d.bias
                x = x.unsqueeze(-1)
                self.conv1d_state = recent[:, :, 1:]
        else:
            self.conv1d_state = None
            self.rg_lru.recurrent_states = None
            x = self.conv_1d(x)[..., :length]
        x = self.rg_lru(x.transpose(1, 2), position_ids)
        hidden_states = x * y
        hidden_states = self.linear_out(hidden_states)
        return hidden_states
