"""From samples to tokens in the manner of wav2vec2: convolutions, their projection, and convolved positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from ..activations import ACT2FN
from ..modeling_utils import Block

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class ConvLayer(Block):
    """A convolution and an activation; `norm` is "group", "layer" or None."""

    def __init__(self, config: PreTrainedConfig, index: int = 0, norm: Any = None) -> None:
        super().__init__()
        self.in_conv_dim = config.conv_dim[index - 1] if index > 0 else 1
        self.out_conv_dim = size = config.conv_dim[index]
        self.conv = nn.Conv1d(
            *(self.in_conv_dim, size),
            kernel_size=config.conv_kernel[index],
            stride=config.conv_stride[index],
            bias=config.conv_bias,
        )
        self.norm = norm
        if norm == "layer":
            self.layer_norm = nn.LayerNorm(size)
        self.activation = ACT2FN[config.feat_extract_activation]
        if norm == "group":
            self.layer_norm = nn.GroupNorm(num_groups=size, num_channels=size)

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = self.conv(hidden_states)
        if self.norm == "group":
            hidden_states = self.layer_norm(hidden_states)
        elif self.norm == "layer":
            hidden_states = hidden_states.transpose(-2, -1)
            hidden_states = self.layer_norm(hidden_states)
            hidden_states = hidden_states.transpose(-2, -1)
        hidden_states = self.activation(hidden_states)
        return hidden_states


class FeatureEncoder(nn.Module):
    """Samples [batch, samples] to features [batch, size, frames]."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.conv_layers = nn.ModuleList(
            ConvLayer(config, index, norm) for index, norm in enumerate(self.norms(config))
        )
        self.gradient_checkpointing = False
        self._requires_grad = True

    def norms(self, config: PreTrainedConfig) -> Any:
        """The kind of norm of each convolution."""
        if config.feat_extract_norm == "group":
            return ["group"] + [None] * (config.num_feat_extract_layers - 1)
        if config.feat_extract_norm == "layer":
            return ["layer"] * config.num_feat_extract_layers
        raise ValueError(
            f"`config.feat_extract_norm` is {config.feat_extract_norm}, but has to be one of ['group', 'layer']"
        )

    def _freeze_parameters(self):
        for parameter in self.parameters():
            parameter.requires_grad = False
        self._requires_grad = False

    def forward(self, input_values: Tensor) -> Any:
        hidden_states = input_values[:, None]
        if self._requires_grad and self.training:
            hidden_states.requires_grad = True
        for layer in self.conv_layers:
            hidden_states = layer(hidden_states)
        return hidden_states


class SamePad(nn.Module):
    """Cuts off the frame that an even kernel adds."""

    def __init__(self, kernel: int) -> None:
        super().__init__()
        self.num_pad_remove = 1 if kernel % 2 == 0 else 0

    def forward(self, hidden_states: Tensor) -> Any:
        if self.num_pad_remove > 0:
            hidden_states = hidden_states[:, :, : -self.num_pad_remove]
        return hidden_states


class PositionalConv(nn.Module):
    """Positions from a wide convolution whose weight is a direction and a length."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        kernel = config.num_conv_pos_embeddings
        self.conv = nn.Conv1d(
            *(config.hidden_size, config.hidden_size),
            kernel_size=kernel,
            padding=kernel // 2,
            groups=config.num_conv_pos_embedding_groups,
        )
        self.normalise(config)
        self.padding = SamePad(kernel)
        self.activation = ACT2FN[config.feat_extract_activation]

    def normalise(self, config: PreTrainedConfig) -> None:
        self.conv = nn.utils.parametrizations.weight_norm(self.conv, name="weight", dim=2)

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = hidden_states.transpose(1, 2)
        hidden_states = self.conv(hidden_states)
        hidden_states = self.padding(hidden_states)
        hidden_states = self.activation(hidden_states)
        hidden_states = hidden_states.transpose(1, 2)
        return hidden_states


class FeatureProjection(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.layer_norm = nn.LayerNorm(config.conv_dim[-1], eps=config.layer_norm_eps)
        self.projection = nn.Linear(config.conv_dim[-1], config.hidden_size)
        self.dropout = nn.Dropout(config.feat_proj_dropout)

    def forward(self, hidden_states: Tensor) -> tuple:
        normed = self.layer_norm(hidden_states)
        hidden_states = self.projection(normed)
        hidden_states = self.dropout(hidden_states)
        return hidden_states, normed
