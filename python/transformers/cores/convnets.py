"""Encoders of images made of convolutions: layers of convolution, batch norm and activation, in stages that halve the image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from ..activations import ACT2FN
from ..modeling_outputs import (
    BaseModelOutputWithNoAttention,
    BaseModelOutputWithPoolingAndNoAttention,
    ImageClassifierOutputWithNoAttention,
)
from .vision import ImageClassifier, VisionModelBase, linear_or_nothing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    import torch
    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class ConvNormAct(nn.Module):
    """A convolution that keeps the size of its input at stride 1, a batch norm, and an activation unless it is None."""

    def __init__(
        self,
        into: Any,
        out: Tensor,
        kernel_size: int | Sequence[int] = 3,
        stride: int | Sequence[int] = 1,
        groups: int = 1,
        activation: str = "relu",
    ) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(
            into, out, kernel_size=kernel_size, stride=stride, padding=kernel_size // 2, groups=groups, bias=False
        )
        self.normalization = nn.BatchNorm2d(out)
        self.activation = ACT2FN[activation] if activation is not None else nn.Identity()

    def forward(self, hidden_states: Tensor) -> Any:
        hidden_states = self.convolution(hidden_states)
        hidden_states = self.normalization(hidden_states)
        hidden_states = self.activation(hidden_states)
        return hidden_states


class ShortCut(nn.Module):
    def __init__(self, into: Any, out: Tensor, stride: int | Sequence[int] = 2) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(into, out, kernel_size=1, stride=stride, bias=False)
        self.normalization = nn.BatchNorm2d(out)

    def forward(self, hidden_state: Tensor) -> Any:
        hidden_state = self.convolution(hidden_state)
        hidden_state = self.normalization(hidden_state)
        return hidden_state


class ResidualLayer(nn.Module):
    """The parts of `make` one after another, added to what came in."""

    def __init__(self, config: PreTrainedConfig, into: Any, out: Tensor, stride: int | Sequence[int] = 1) -> None:
        super().__init__()
        self.shortcut = ShortCut(into, out, stride) if into != out or stride != 1 else nn.Identity()
        self.layer = nn.Sequential(*self.make(config, into, out, stride))
        self.activation = ACT2FN[config.hidden_act]

    def make(self, config: PreTrainedConfig, into: Any, out: Tensor, stride: int | Sequence[int]) -> NoReturn:
        raise NotImplementedError

    def forward(self, hidden_state: Tensor) -> Any:
        residual = hidden_state
        hidden_state = self.layer(hidden_state)
        residual = self.shortcut(residual)
        hidden_state += residual
        hidden_state = self.activation(hidden_state)
        return hidden_state


class Stage(nn.Module):
    def __init__(
        self,
        kind: Any,
        config: PreTrainedConfig,
        into: Any,
        out: Tensor,
        stride: int | Sequence[int] = 2,
        depth: int = 2,
    ) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            kind(config, into, out, stride=stride), *(kind(config, out, out) for _ in range(depth - 1))
        )

    def forward(self, hidden_state: Tensor) -> Any:
        for layer in self.layers:
            hidden_state = layer(hidden_state)
        return hidden_state


class StageEncoder(nn.Module):
    def __init__(self, kind: Any, config: PreTrainedConfig) -> None:
        super().__init__()
        sizes = [config.embedding_size, *config.hidden_sizes]
        first = 2 if config.downsample_in_first_stage else 1
        self.stages = nn.ModuleList(
            Stage(kind, config, into, out, stride=2 if index else first, depth=depth)
            for index, (into, out, depth) in enumerate(zip(sizes, config.hidden_sizes, config.depths))
        )

    def forward(self, hidden_state: Tensor, output_hidden_states: bool = False) -> Any:
        states = () if output_hidden_states else None
        for stage in self.stages:
            if output_hidden_states:
                states += (hidden_state,)
            hidden_state = stage(hidden_state)
        if output_hidden_states:
            states += (hidden_state,)
        return BaseModelOutputWithNoAttention(last_hidden_state=hidden_state, hidden_states=states)


class ConvModel(VisionModelBase):
    """`embeddings_class` makes the first features, `layer_of` says what the stages are made of."""

    supports_gradient_checkpointing = False
    embeddings_class = None

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.embedder = self.embeddings_class(config)
        self.encoder = StageEncoder(self.layer_of(config), config)
        self.pooler = nn.AdaptiveAvgPool2d((1, 1))
        self.post_init()

    def layer_of(self, config: PreTrainedConfig) -> NoReturn:
        raise NotImplementedError

    def forward(
        self, pixel_values: Tensor, output_hidden_states: bool | None = None, return_dict: bool | None = None, **_: Any
    ) -> Any:
        record = self.asks("output_hidden_states", output_hidden_states)
        embedded = self.embedder(pixel_values)
        encoded = self.encoder(embedded, output_hidden_states=record)
        last = encoded[0]
        pooled = self.pooler(last)
        return BaseModelOutputWithPoolingAndNoAttention(
            last_hidden_state=last, pooler_output=pooled, hidden_states=encoded.hidden_states
        )


class ConvClassifier(ImageClassifier):
    supports_gradient_checkpointing = False
    output_class = ImageClassifierOutputWithNoAttention

    def make_model(self, config: PreTrainedConfig) -> torch.nn.Module:
        return self.model_class(config)

    def build(self, config: PreTrainedConfig) -> None:
        self.classifier = nn.Sequential(nn.Flatten(), linear_or_nothing(config.hidden_sizes[-1], config.num_labels))

    def feature(self, outputs: Any) -> Any:
        return outputs.pooler_output
