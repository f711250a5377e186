"""convnext: wide convolutions per channel and feed-forward parts over channels, with layer norms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..activations import ACT2FN
from ..cores.capturing import collects
from ..configuration_utils import PreTrainedConfig
from ..modeling_utils import register
from ..modeling_outputs import (
    BaseModelOutputWithNoAttention,
    BaseModelOutputWithPoolingAndNoAttention,
    ImageClassifierOutputWithNoAttention,
)
from ..cores.vision import ImageClassifier, VisionModelBase, drop_path, run_layers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor
    from transformers.modeling_outputs import ModelOutput


class ConvNextConfig(PreTrainedConfig):
    model_type = "convnext"
    num_channels = 3
    patch_size = 4
    num_stages = 4
    hidden_sizes = (96, 192, 384, 768)
    depths = (3, 3, 9, 3)
    hidden_act = "gelu"
    initializer_range = 0.02
    layer_norm_eps = 1e-12
    layer_scale_init_value = 1e-6
    drop_path_rate = 0.0
    image_size = 224


class ChannelsFirstNorm(nn.LayerNorm):
    """Normalises the channels of [batch, channels, height, width]."""

    def forward(self, features: Any) -> Any:
        features = features.permute(0, 2, 3, 1)
        features = super().forward(features)
        features = features.permute(0, 3, 1, 2)
        return features


class ConvNextEmbeddings(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        size, patch = config.hidden_sizes[0], config.patch_size
        self.patch_embeddings = nn.Conv2d(config.num_channels, size, kernel_size=patch, stride=patch)
        self.layernorm = ChannelsFirstNorm(size, eps=1e-6)

    def forward(self, pixel_values: Tensor) -> Tensor:
        embeddings = self.patch_embeddings(pixel_values)
        embeddings = self.layernorm(embeddings)
        return embeddings


class ConvNextLayer(nn.Module):
    def __init__(self, config: PreTrainedConfig, size: int, drop: Any) -> None:
        super().__init__()
        self.dwconv = nn.Conv2d(size, size, kernel_size=7, padding=3, groups=size)
        self.layernorm = nn.LayerNorm(size, eps=1e-6)
        self.pwconv1 = nn.Linear(size, 4 * size)
        self.act = ACT2FN[config.hidden_act]
        self.pwconv2 = nn.Linear(4 * size, size)
        scale = config.layer_scale_init_value
        self.layer_scale_parameter = nn.Parameter(scale * torch.ones(size)) if scale > 0 else None
        self.drop_path = drop_path(drop)

    def forward(self, features: Tensor) -> Tensor:
        residual = features
        features = self.dwconv(features)
        features = features.permute(0, 2, 3, 1)
        features = self.layernorm(features)
        features = self.pwconv1(features)
        features = self.act(features)
        features = self.pwconv2(features)
        if self.layer_scale_parameter is not None:
            features = self.layer_scale_parameter * features
        features = features.permute(0, 3, 1, 2)
        features = residual + self.drop_path(features)
        return features


class ConvNextStage(nn.Module):
    def __init__(
        self, config: PreTrainedConfig, into: Any, out: Tensor, stride: int | Sequence[int], drops: Any
    ) -> None:
        super().__init__()
        self.downsampling_layer = nn.ModuleList()
        if into != out or stride > 1:
            self.downsampling_layer.append(ChannelsFirstNorm(into, eps=1e-6))
            self.downsampling_layer.append(nn.Conv2d(into, out, kernel_size=2, stride=stride))
        self.layers = nn.ModuleList(ConvNextLayer(config, out, drop) for drop in drops)

    def forward(self, features: Tensor) -> Tensor:
        for layer in self.downsampling_layer:
            features = layer(features)
        for layer in self.layers:
            features = layer(features)
        return features


def rising_rates(highest: Any, depths: Any) -> list:
    """Rates from 0 to `highest` in equal steps over all layers, by stage."""
    count = sum(depths)
    rates = iter([highest * index / max(count - 1, 1) for index in range(count)])
    return [[next(rates) for _ in range(depth)] for depth in depths]


class ConvNextEncoder(VisionModelBase):
    records = {"hidden_states": ConvNextStage}

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.stages = nn.ModuleList()
        drops = rising_rates(config.drop_path_rate, config.depths)
        into = config.hidden_sizes[0]
        for index in range(config.num_stages):
            out = config.hidden_sizes[index]
            self.stages.append(ConvNextStage(config, into, out, 2 if index > 0 else 1, drops[index]))
            into = out
        self.post_init()

    @collects(ties_last=False)
    def forward(self, hidden_states: Tensor, **_: Any) -> ModelOutput:
        hidden_states = run_layers(self.stages, hidden_states)
        return BaseModelOutputWithNoAttention(last_hidden_state=hidden_states)


class ConvNextModel(VisionModelBase):
    base_model_prefix = "convnext"
    supports_gradient_checkpointing = False

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.embeddings = ConvNextEmbeddings(config)
        self.encoder = ConvNextEncoder(config)
        self.layernorm = nn.LayerNorm(config.hidden_sizes[-1], eps=config.layer_norm_eps)
        self.post_init()

    def forward(
        self, pixel_values: Tensor | None = None, return_dict: bool | None = None, **kwargs: Any
    ) -> ModelOutput:
        embedded = self.embeddings(pixel_values)
        encoded = self.encoder(embedded, **kwargs)
        last = encoded.last_hidden_state
        pooled = self.layernorm(last.mean([-2, -1]))
        return BaseModelOutputWithPoolingAndNoAttention(
            last_hidden_state=last, pooler_output=pooled, hidden_states=encoded.hidden_states
        )


class ConvNextForImageClassification(ImageClassifier):
    base_model_prefix = "convnext"
    supports_gradient_checkpointing = False
    model_class = ConvNextModel
    output_class = ImageClassifierOutputWithNoAttention

    def make_model(self, config: PreTrainedConfig) -> torch.nn.Module:
        return self.model_class(config)

    def width(self, config: PreTrainedConfig) -> Any:
        return config.hidden_sizes[-1]

    def feature(self, outputs: Any) -> Any:
        return outputs.pooler_output


register(ConvNextConfig, AutoModel=ConvNextModel, AutoModelForImageClassification=ConvNextForImageClassification)
