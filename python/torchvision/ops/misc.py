"""Layers that several models share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


__all__ = ["Conv2dNormActivation", "Conv3dNormActivation", "FrozenBatchNorm2d", "MLP", "Permute", "SqueezeExcitation"]


class FrozenBatchNorm2d(nn.Module):
    """Batch norm of which nothing is learned: four buffers."""

    def __init__(self, num_features: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.register_buffer("weight", torch.ones(num_features))
        self.register_buffer("bias", torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))

    def forward(self, x: Tensor) -> Tensor:
        w = self.weight.reshape(1, -1, 1, 1)
        b = self.bias.reshape(1, -1, 1, 1)
        rv = self.running_var.reshape(1, -1, 1, 1)
        rm = self.running_mean.reshape(1, -1, 1, 1)
        scale = w * (rv + self.eps).rsqrt()
        bias = b - rm * scale
        return x * scale + bias


class ConvNormActivation(nn.Sequential):
    """Convolution, norm, activation; padding keeps the size at stride one."""

    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | tuple[int, ...] = 3, stride: int | tuple[int, ...] = 1, padding: int | tuple[int, ...] | str | None = None, groups: int = 1, norm_layer: Callable[..., torch.nn.Module] | None = nn.BatchNorm2d, activation_layer: Callable[..., torch.nn.Module] | None = nn.ReLU, dilation: int | tuple[int, ...] = 1, inplace: bool | None = True, bias: bool | None = None, conv_layer: Callable[..., torch.nn.Module] = nn.Conv2d) -> None:  # fmt: skip
        if padding is None:
            if isinstance(kernel_size, int) and isinstance(dilation, int):
                padding = (kernel_size - 1) // 2 * dilation
            else:
                n = len(kernel_size) if not isinstance(kernel_size, int) else len(dilation)
                sizes, steps = ((v,) * n if isinstance(v, int) else v for v in (kernel_size, dilation))
                padding = tuple((sizes[i] - 1) // 2 * steps[i] for i in range(n))
        layers = [
            conv_layer(
                in_channels,
                out_channels,
                kernel_size,
                stride,
                padding,
                dilation=dilation,
                groups=groups,
                bias=norm_layer is None if bias is None else bias,
            )
        ]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        if activation_layer is not None:
            layers.append(activation_layer(**({} if inplace is None else {"inplace": inplace})))
        super().__init__(*layers)
        self.out_channels = out_channels


class Conv2dNormActivation(ConvNormActivation):
    """Of images."""


class Conv3dNormActivation(ConvNormActivation):
    """Of videos."""

    def __init__(
        self, *args: Any, norm_layer: Callable[..., torch.nn.Module] | None = nn.BatchNorm3d, **options: Any
    ) -> None:
        super().__init__(*args, norm_layer=norm_layer, conv_layer=nn.Conv3d, **options)


class SqueezeExcitation(nn.Module):
    """Weights of channels from their means."""

    def __init__(
        self,
        input_channels: int,
        squeeze_channels: int,
        activation: Callable[..., torch.nn.Module] = nn.ReLU,
        scale_activation: Callable[..., torch.nn.Module] = nn.Sigmoid,
    ) -> None:
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = nn.Conv2d(squeeze_channels, input_channels, 1)
        self.activation, self.scale_activation = activation(), scale_activation()

    def _scale(self, input):
        scale = self.avgpool(input)
        scale = self.fc1(scale)
        scale = self.activation(scale)
        scale = self.fc2(scale)
        return self.scale_activation(scale)

    def forward(self, input: Tensor) -> Tensor:
        scale = self._scale(input)
        return scale * input


class MLP(nn.Sequential):
    """Linear layers with norm, activation and dropout."""

    def __init__(
        self,
        in_channels: int,
        hidden_channels: list[int],
        norm_layer: Callable[..., torch.nn.Module] | None = None,
        activation_layer: Callable[..., torch.nn.Module] | None = nn.ReLU,
        inplace: bool | None = None,
        bias: bool = True,
        dropout: float = 0.0,
    ) -> None:
        params = {} if inplace is None else {"inplace": inplace}
        layers, inputs = [], in_channels
        for width in hidden_channels[:-1]:
            layers.append(nn.Linear(inputs, width, bias=bias))
            if norm_layer is not None:
                layers.append(norm_layer(width))
            layers.append(activation_layer(**params))
            layers.append(nn.Dropout(dropout, **params))
            inputs = width
        layers.append(nn.Linear(inputs, hidden_channels[-1], bias=bias))
        layers.append(nn.Dropout(dropout, **params))
        super().__init__(*layers)


class Permute(nn.Module):
    """Dimensions in another order."""

    def __init__(self, dims: list[int]) -> None:
        super().__init__()
        self.dims = dims

    def forward(self, x: Tensor) -> Tensor:
        return torch.permute(x, self.dims)
