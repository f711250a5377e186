"""resnet: stages of residual layers, narrow in the middle (bottleneck) or plain (basic)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from ..configuration_utils import PreTrainedConfig
from ..cores.convnets import ConvClassifier, ConvModel, ConvNormAct, ResidualLayer
from ..modeling_utils import register

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


class ResNetConfig(PreTrainedConfig):
    model_type = "resnet"
    num_channels = 3
    embedding_size = 64
    hidden_sizes = (256, 512, 1024, 2048)
    depths = (3, 4, 6, 3)
    layer_type = "bottleneck"
    hidden_act = "relu"
    downsample_in_first_stage = False
    downsample_in_bottleneck = False

    def complete(self) -> None:
        if self.layer_type not in ("basic", "bottleneck"):
            raise ValueError(f"layer_type={self.layer_type} is not one of basic,bottleneck")


class ResNetEmbeddings(nn.Module):
    def __init__(self, config: ResNetConfig) -> None:
        super().__init__()
        self.embedder = ConvNormAct(
            config.num_channels, config.embedding_size, kernel_size=7, stride=2, activation=config.hidden_act
        )
        self.pooler = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)

    def forward(self, pixel_values: Tensor) -> Tensor:
        embedding = self.embedder(pixel_values)
        embedding = self.pooler(embedding)
        return embedding


class BasicLayer(ResidualLayer):
    def make(self, config: PreTrainedConfig, into: Any, out: Tensor, stride: int | Sequence[int]) -> tuple:
        return ConvNormAct(into, out, stride=stride), ConvNormAct(out, out, activation=None)


class BottleneckLayer(ResidualLayer):
    def make(self, config: PreTrainedConfig, into: Any, out: Tensor, stride: int | Sequence[int]) -> tuple:
        narrow = out // 4
        # only the first layer of a stage has a stride to place
        early = config.downsample_in_bottleneck
        return (
            ConvNormAct(into, narrow, kernel_size=1, stride=stride if early else 1),
            ConvNormAct(narrow, narrow, stride=1 if early else stride),
            ConvNormAct(narrow, out, kernel_size=1, activation=None),
        )


class ResNetModel(ConvModel):
    base_model_prefix = "resnet"
    embeddings_class = ResNetEmbeddings

    def layer_of(self, config: PreTrainedConfig) -> Any:
        return BottleneckLayer if config.layer_type == "bottleneck" else BasicLayer


class ResNetForImageClassification(ConvClassifier):
    base_model_prefix = "resnet"
    model_class = ResNetModel


register(ResNetConfig, AutoModel=ResNetModel, AutoModelForImageClassification=ResNetForImageClassification)
