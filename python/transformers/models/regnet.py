"""regnet: residual layers with grouped convolutions, and channels weighed by their mean (y) or not (x)."""

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


class RegNetConfig(PreTrainedConfig):
    model_type = "regnet"
    num_channels = 3
    embedding_size = 32
    hidden_sizes = (128, 192, 512, 1088)
    depths = (2, 6, 12, 2)
    groups_width = 64
    layer_type = "y"
    hidden_act = "relu"
    downsample_in_first_stage = True

    def complete(self) -> None:
        if self.layer_type not in ("x", "y"):
            raise ValueError(f"layer_type={self.layer_type} is not one of x,y")


class RegNetEmbeddings(nn.Module):
    def __init__(self, config: RegNetConfig) -> None:
        super().__init__()
        self.embedder = ConvNormAct(config.num_channels, config.embedding_size, stride=2, activation=config.hidden_act)

    def forward(self, pixel_values: Tensor) -> Any:
        hidden_state = self.embedder(pixel_values)
        return hidden_state


class SqueezeExcite(nn.Module):
    """Each channel times a factor that follows from the means of all."""

    def __init__(self, size: int, narrow: Any) -> None:
        super().__init__()
        self.pooler = nn.AdaptiveAvgPool2d((1, 1))
        self.attention = nn.Sequential(
            nn.Conv2d(size, narrow, kernel_size=1), nn.ReLU(), nn.Conv2d(narrow, size, kernel_size=1), nn.Sigmoid()
        )

    def forward(self, hidden_state: Tensor) -> Any:
        pooled = self.pooler(hidden_state)
        attention = self.attention(pooled)
        hidden_state = hidden_state * attention
        return hidden_state


class XLayer(ResidualLayer):
    def make(self, config: PreTrainedConfig, into: Any, out: Tensor, stride: int | Sequence[int]) -> tuple:
        groups, act = max(1, out // config.groups_width), config.hidden_act
        return (
            ConvNormAct(into, out, kernel_size=1, activation=act),
            ConvNormAct(out, out, stride=stride, groups=groups, activation=act),
            *self.weigh(into, out),
            ConvNormAct(out, out, kernel_size=1, activation=None),
        )

    def weigh(self, into: Any, out: Tensor) -> tuple:
        return ()


class YLayer(XLayer):
    def weigh(self, into: Any, out: Tensor) -> tuple:
        return (SqueezeExcite(out, int(round(into / 4))),)


class RegNetModel(ConvModel):
    base_model_prefix = "regnet"
    embeddings_class = RegNetEmbeddings

    def layer_of(self, config: PreTrainedConfig) -> Any:
        return XLayer if config.layer_type == "x" else YLayer


class RegNetForImageClassification(ConvClassifier):
    base_model_prefix = "regnet"
    model_class = RegNetModel


register(RegNetConfig, AutoModel=RegNetModel, AutoModelForImageClassification=RegNetForImageClassification)
