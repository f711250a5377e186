"""mobilenet_v2: layers that widen, convolve each channel by itself, and narrow again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import register
from ..modeling_outputs import BaseModelOutputWithPoolingAndNoAttention, ImageClassifierOutputWithNoAttention
from ..cores.vision import ImageClassifier, VisionModelBase, linear_or_nothing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


_CHANNELS = (16, 24, 24, 32, 32, 32, 64, 64, 64, 64, 96, 96, 96, 160, 160, 160, 320)
_STRIDES = (2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1)


class MobileNetV2Config(PreTrainedConfig):
    model_type = "mobilenet_v2"
    num_channels = 3
    image_size = 224
    depth_multiplier = 1.0
    depth_divisible_by = 8
    min_depth = 8
    expand_ratio = 6.0
    output_stride = 32
    first_layer_is_expansion = True
    finegrained_output = True
    hidden_act = "relu6"
    tf_padding = True
    classifier_dropout_prob = 0.8
    layer_norm_eps = 0.001
    semantic_loss_ignore_index = 255


def divisible(config: PreTrainedConfig, count: int) -> int:
    """A number of channels near `count` that the config's divisor divides, at most a tenth below it."""
    step = config.depth_divisible_by
    rounded = max(config.min_depth, int(count + step / 2) // step * step)
    return int(rounded + step if rounded < 0.9 * count else rounded)


def scaled(config: PreTrainedConfig, count: int) -> int:
    return divisible(config, int(round(count * config.depth_multiplier)))


def same_padding(features: Any, layer: torch.nn.Module) -> Any:
    """Pads as TensorFlow does, more on the right and at the bottom."""

    def along(length, stride, kernel):
        return max(kernel - (length % stride or stride), 0)

    tall = along(features.shape[-2], layer.stride[0], layer.kernel_size[0])
    wide = along(features.shape[-1], layer.stride[1], layer.kernel_size[1])
    left, top = wide // 2, tall // 2
    down, across = layer.dilation
    padding = (left * across, (wide - left) * across, top * down, (tall - top) * down)
    return F.pad(features, padding, "constant", 0.0)


class ConvLayer(nn.Module):
    def __init__(
        self,
        config: PreTrainedConfig,
        into: Any,
        out: Tensor,
        kernel: int,
        stride: int | Sequence[int] = 1,
        groups: int = 1,
        dilation: int | Sequence[int] = 1,
        act: bool = True,
    ) -> None:
        super().__init__()
        self.config = config
        padding = 0 if config.tf_padding else (kernel - 1) // 2 * dilation
        self.convolution = nn.Conv2d(
            into, out, kernel, stride=stride, padding=padding, dilation=dilation, groups=groups, bias=False
        )
        self.normalization = nn.BatchNorm2d(out, eps=config.layer_norm_eps, momentum=0.997)
        self.activation = ACT2FN[config.hidden_act] if act else None

    def forward(self, features: Any) -> Any:
        if self.config.tf_padding:
            features = same_padding(features, self.convolution)
        features = self.convolution(features)
        features = self.normalization(features)
        if self.activation is not None:
            features = self.activation(features)
        return features


class InvertedResidual(nn.Module):
    def __init__(
        self,
        config: PreTrainedConfig,
        into: Any,
        out: Tensor,
        stride: int | Sequence[int],
        dilation: int | Sequence[int] = 1,
    ) -> None:
        super().__init__()
        wide = divisible(config, int(round(into * config.expand_ratio)))
        self.use_residual = stride == 1 and into == out
        self.expand_1x1 = ConvLayer(config, into, wide, 1)
        self.conv_3x3 = ConvLayer(config, wide, wide, 3, stride=stride, groups=wide, dilation=dilation)
        self.reduce_1x1 = ConvLayer(config, wide, out, 1, act=False)

    def forward(self, features: Any) -> Any:
        residual = features
        features = self.expand_1x1(features)
        features = self.conv_3x3(features)
        features = self.reduce_1x1(features)
        return residual + features if self.use_residual else features


class Stem(nn.Module):
    def __init__(self, config: PreTrainedConfig, into: Any, wide: Any, out: Tensor) -> None:
        super().__init__()
        self.first_conv = ConvLayer(config, into, wide, 3, stride=2)
        self.expand_1x1 = None if config.first_layer_is_expansion else ConvLayer(config, wide, wide, 1)
        self.conv_3x3 = ConvLayer(config, wide, wide, 3, groups=wide)
        self.reduce_1x1 = ConvLayer(config, wide, out, 1, act=False)

    def forward(self, features: Any) -> Any:
        features = self.first_conv(features)
        if self.expand_1x1 is not None:
            features = self.expand_1x1(features)
        features = self.conv_3x3(features)
        features = self.reduce_1x1(features)
        return features


class MobileNetV2Model(VisionModelBase):
    base_model_prefix = "mobilenet_v2"
    supports_gradient_checkpointing = False

    def __init__(self, config: MobileNetV2Config, add_pooling_layer: bool = True) -> None:
        super().__init__(config)
        channels = [scaled(config, count) for count in _CHANNELS]
        self.conv_stem = Stem(config, config.num_channels, scaled(config, 32), channels[0])
        reached, dilation = 2, 1
        self.layer = nn.ModuleList()
        for index, stride in enumerate(_STRIDES):
            own = 1
            if reached == config.output_stride:
                # from here on the image keeps its size, and kernels spread instead
                own, dilation, stride = dilation, dilation * stride, 1
            else:
                reached *= stride
            self.layer.append(InvertedResidual(config, channels[index], channels[index + 1], stride, own))
        last = 1280 if config.finegrained_output and config.depth_multiplier < 1.0 else scaled(config, 1280)
        self.conv_1x1 = ConvLayer(config, channels[-1], last, 1)
        self.pooler = nn.AdaptiveAvgPool2d((1, 1)) if add_pooling_layer else None
        self.post_init()

    def forward(
        self,
        pixel_values: Tensor | None = None,
        output_hidden_states: bool | None = None,
        return_dict: bool | None = None,
        **_: Any,
    ) -> tuple | ModelOutput:
        record = self.asks("output_hidden_states", output_hidden_states)
        hidden_states = self.conv_stem(pixel_values)
        states = () if record else None
        for layer in self.layer:
            hidden_states = layer(hidden_states)
            if record:
                states += (hidden_states,)
        last = self.conv_1x1(hidden_states)
        pooled = torch.flatten(self.pooler(last), start_dim=1) if self.pooler is not None else None
        return BaseModelOutputWithPoolingAndNoAttention(
            last_hidden_state=last, pooler_output=pooled, hidden_states=states
        )


class MobileNetV2ForImageClassification(ImageClassifier):
    base_model_prefix = "mobilenet_v2"
    supports_gradient_checkpointing = False
    model_class = MobileNetV2Model
    output_class = ImageClassifierOutputWithNoAttention

    def make_model(self, config: PreTrainedConfig) -> torch.nn.Module:
        return self.model_class(config)

    def build(self, config: PreTrainedConfig) -> None:
        self.dropout = nn.Dropout(config.classifier_dropout_prob, inplace=True)
        self.classifier = linear_or_nothing(self.mobilenet_v2.conv_1x1.convolution.out_channels, config.num_labels)

    def forward(
        self,
        pixel_values: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> tuple | ModelOutput:
        outputs = self.mobilenet_v2(pixel_values, **kwargs)
        pooled = outputs.pooler_output
        logits = self.classifier(self.dropout(pooled))
        loss = None
        if labels is not None:
            loss = self.loss_function(labels, logits, self.config)
        return self.output_class(loss=loss, logits=logits, hidden_states=outputs.hidden_states)


register(
    MobileNetV2Config,
    AutoModel=MobileNetV2Model,
    AutoModelForImageClassification=MobileNetV2ForImageClassification,
)
