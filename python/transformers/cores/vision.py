"""Encoders of images cut into patches, in the manner of ViT. One core; a family overrides what is special."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

from ..activations import ACT2FN
from ..parts.attention import HeadedModule, eager_wide
from .capturing import collects
from ..configuration_utils import PreTrainedConfig
from ..masking_utils import create_bidirectional_mask
from ..modeling_utils import BLOCK_RECORDS, Block, PreTrainedModel
from ..modeling_outputs import BaseModelOutputWithPooling, ImageClassifierOutput, beside

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class VisionConfig(PreTrainedConfig):
    """Fields that encoders of images share, with ViT's defaults. Sizes of images and patches are a number or a pair."""

    hidden_size = 768
    num_hidden_layers = 12
    num_attention_heads = 12
    intermediate_size = 3072
    hidden_act = "gelu"
    hidden_dropout_prob = 0.0
    attention_probs_dropout_prob = 0.0
    initializer_range = 0.02
    layer_norm_eps = 1e-12
    image_size = 224
    patch_size = 16
    num_channels = 3
    qkv_bias = True


def pair(size: int | tuple) -> tuple:
    return size if isinstance(size, (list, tuple)) else (size, size)


def resized(
    positions: Tensor,
    patches: Any,
    height: int,
    width: int,
    patch_size: Any,
    special: int = 1,
    wide: bool = False,
    antialias: bool = False,
) -> Any:
    """
    Positions [1, special + n, size] for `patches` patches of an image of height times width pixels.

    `special` tokens come first and keep theirs. `wide` interpolates in float32.
    """
    count = positions.shape[1] - special
    if patches == count and height == width:
        return positions
    first = positions[:, :special]
    rest = positions[:, special:]
    size = positions.shape[-1]
    side = int(count**0.5)
    rest = rest.reshape(1, side, side, size)
    rest = rest.permute(0, 3, 1, 2)
    target = (height // pair(patch_size)[0], width // pair(patch_size)[1])
    if wide:
        dtype = rest.dtype
        rest = F.interpolate(
            rest.to(torch.float32), size=target, mode="bicubic", align_corners=False, antialias=antialias
        ).to(dtype)
    else:
        rest = F.interpolate(rest, size=target, mode="bicubic", align_corners=False)
    rest = rest.permute(0, 2, 3, 1).view(1, -1, size)
    return torch.cat((first, rest), dim=1) if special else rest


def linear_or_nothing(size: int, count: int) -> nn.Module:
    """The last layer of a classifier, which is absent if there are no labels."""
    return nn.Linear(size, count) if count > 0 else nn.Identity()


class PatchEmbeddings(nn.Module):
    """A convolution whose step is its kernel: [batch, channels, height, width] to [batch, patches, size]."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.image_size = pair(config.image_size)
        self.patch_size = pair(config.patch_size)
        self.num_channels = config.num_channels
        self.num_patches = (self.image_size[1] // self.patch_size[1]) * (self.image_size[0] // self.patch_size[0])
        self.projection = nn.Conv2d(
            config.num_channels, config.hidden_size, kernel_size=self.patch_size, stride=self.patch_size
        )

    def forward(self, pixel_values: Tensor | None) -> Any:
        if pixel_values.shape[1] != self.num_channels:
            raise ValueError(
                "Make sure that the channel dimension of the pixel values match with the one set in the configuration."
                f" Expected {self.num_channels} but got {pixel_values.shape[1]}."
            )
        return self.projection(pixel_values).flatten(2).transpose(1, 2)


class PatchedEmbeddings(nn.Module):
    """Patches behind a class token, with learned positions."""

    special = 1

    def __init__(self, config: PreTrainedConfig, use_mask_token: bool = False) -> None:
        super().__init__()
        self.cls_token = nn.Parameter(torch.randn(1, 1, config.hidden_size))
        self.build_tokens(config, use_mask_token)
        self.patch_embeddings = PatchEmbeddings(config)
        self.build_positions(config)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.patch_size = config.patch_size
        self.image_size = self.patch_embeddings.image_size
        self.config = config

    def build_tokens(self, config: PreTrainedConfig, use_mask_token: Any) -> None:
        self.mask_token = nn.Parameter(torch.zeros(1, 1, config.hidden_size)) if use_mask_token else None

    def build_positions(self, config: PreTrainedConfig) -> None:
        self.position_embeddings = nn.Parameter(
            torch.randn(1, self.patch_embeddings.num_patches + self.special, config.hidden_size)
        )

    def masked(self, embeddings: Tensor, hidden: Any) -> Any:
        """The mask token in place of the patches that `hidden` names."""
        tokens = self.mask_token.expand(embeddings.shape[0], embeddings.shape[1], -1)
        mask = hidden.unsqueeze(-1).type_as(tokens)
        return embeddings * (1.0 - mask) + tokens * mask

    def tokens(self, batch: int) -> Any:
        """What comes before the patches."""
        return (self.cls_token.expand(batch, -1, -1),)

    def check_size(self, height: int, width: int) -> None:
        if (height, width) != tuple(self.image_size):
            raise ValueError(
                f"Input image size ({height}*{width}) doesn't match model ({self.image_size[0]}*{self.image_size[1]})."
            )

    def positions(self, patches: Any, height: int, width: int, interpolate: bool) -> Any:
        if interpolate:
            return resized(
                self.position_embeddings, patches - self.special, height, width, self.patch_size, self.special
            )
        self.check_size(height, width)
        return self.position_embeddings

    def forward(
        self, pixel_values: Tensor | None, bool_masked_pos: Tensor | None = None, interpolate_pos_encoding: bool = False
    ) -> Any:
        batch, _, height, width = pixel_values.shape
        embeddings = self.patch_embeddings(pixel_values)
        if bool_masked_pos is not None:
            embeddings = self.masked(embeddings, bool_masked_pos)
        tokens = self.tokens(batch)
        embeddings = torch.cat((*tokens, embeddings), dim=1)
        embeddings = embeddings + self.positions(embeddings.shape[1], height, width, interpolate_pos_encoding)
        embeddings = self.dropout(embeddings)
        return embeddings


class VisionAttention(HeadedModule):
    """
    Every patch sees every patch.

    `names` are the projections in the order in which the module has them, `out_name` the one after attention.
    """

    eager = staticmethod(eager_wide)
    names = ("q_proj", "k_proj", "v_proj")
    out_name = "o_proj"
    dropout_name = "attention_probs_dropout_prob"

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.config = config
        self.num_heads = config.num_attention_heads
        self.head_dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self.scaling = self.head_dim**-0.5
        self.dropout_rate = getattr(config, self.dropout_name)
        self.is_causal = False
        size = self.num_heads * self.head_dim
        for name in self.names:
            setattr(self, name, nn.Linear(config.hidden_size, size, bias=self.biased(config, name)))
        setattr(self, self.out_name, nn.Linear(size, config.hidden_size))

    def biased(self, config: PreTrainedConfig, name: str) -> Any:
        return getattr(config, "qkv_bias", True)

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> Any:
        shape = hidden_states.shape[:-1]
        heads = (*shape, -1, self.head_dim)
        query = self.q_proj(hidden_states).view(heads).transpose(1, 2)
        key = self.k_proj(hidden_states).view(heads).transpose(1, 2)
        value = self.v_proj(hidden_states).view(heads).transpose(1, 2)
        output, weights = self.attention_function()(
            *(self, query, key, value, attention_mask),
            dropout=self.dropout_rate if self.training else 0.0,
            scaling=self.scaling,
            **kwargs,
        )
        output = output.reshape(*shape, -1).contiguous()
        output = getattr(self, self.out_name)(output)
        return output, weights


class VisionMLP(nn.Module):
    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.config = config
        self.activation_fn = ACT2FN[config.hidden_act]
        self.fc1 = nn.Linear(config.hidden_size, config.intermediate_size)
        self.fc2 = nn.Linear(config.intermediate_size, config.hidden_size)

    def forward(self, hidden_states: Tensor) -> Tensor:
        hidden_states = self.fc1(hidden_states)
        hidden_states = self.activation_fn(hidden_states)
        hidden_states = self.fc2(hidden_states)
        return hidden_states


class DropPath(nn.Module):
    """Leaves a layer's work out for some of the samples."""

    def __init__(self, drop_prob: float = 0.0) -> None:
        super().__init__()
        self.drop_prob = drop_prob

    def forward(self, hidden_states: Tensor) -> Tensor:
        if self.drop_prob == 0.0 or not self.training:
            return hidden_states
        kept = 1 - self.drop_prob
        shape = (hidden_states.shape[0],) + (1,) * (hidden_states.ndim - 1)
        chosen = torch.rand(shape, dtype=hidden_states.dtype, device=hidden_states.device)
        chosen = torch.floor(chosen + kept)
        return hidden_states.div(kept) * chosen

    def extra_repr(self) -> str:
        return f"p={self.drop_prob}"


def drop_path(rate: float) -> nn.Module:
    return DropPath(rate) if rate > 0.0 else nn.Identity()


class VisionLayer(Block):
    """
    Attention and a feed-forward part, each normalised before and added to what came in.

    `steps` are functions that each part's result goes through, one operator each, so that no step outlives the next.
    """

    attention_class = VisionAttention
    mlp_class = VisionMLP

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.attention = self.attention_class(config)
        self.layernorm_before = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.layernorm_after = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.mlp = self.mlp_class(config)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def steps(self, part: dict) -> tuple:
        return (self.dropout,)

    def forward(self, hidden_states: Tensor, attention_mask: Tensor | None = None, **kwargs: Any) -> Any:
        residual = hidden_states
        hidden_states = self.layernorm_before(hidden_states)
        hidden_states, _ = self.attention(hidden_states, attention_mask, **kwargs)
        for step in self.steps(0):
            hidden_states = step(hidden_states)
        hidden_states = hidden_states + residual
        residual = hidden_states
        hidden_states = self.layernorm_after(hidden_states)
        hidden_states = self.mlp(hidden_states)
        for step in self.steps(1):
            hidden_states = step(hidden_states)
        hidden_states = hidden_states + residual
        return hidden_states


def run_layers(layers: Any, hidden_states: Tensor, *args: Any, **kwargs: Any) -> Any:
    """The last layer's result."""
    for layer in layers:
        hidden_states = layer(hidden_states, *args, **kwargs)
    return hidden_states


class VisionModelBase(PreTrainedModel):
    main_input_name = "pixel_values"

    def asks(self, name: str, flag: Any) -> Any:
        return getattr(self.config, name, False) if flag is None else flag


class TokenPooler(nn.Module):
    """The first token, projected."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.pooler_output_size)
        self.activation = ACT2FN[config.pooler_act]

    def forward(self, hidden_states: Tensor) -> Tensor:
        first = hidden_states[:, 0]
        pooled = self.dense(first)
        pooled = self.activation(pooled)
        return pooled


class VisionModel(VisionModelBase):
    embeddings_class = PatchedEmbeddings
    layer_class = VisionLayer
    pooler_class = TokenPooler
    records = BLOCK_RECORDS

    def __init__(self, config: PreTrainedConfig, add_pooling_layer: bool = True, use_mask_token: bool = False) -> None:
        super().__init__(config)
        self.embeddings = self.embeddings_class(config, use_mask_token)
        self.layers = nn.ModuleList(self.layer_class(config) for _ in range(config.num_hidden_layers))
        self.layernorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.pooler = self.pooler_class(config) if add_pooling_layer else None
        self.post_init()

    def get_input_embeddings(self) -> Any:
        return self.embeddings.patch_embeddings

    @collects(ties_last=False)
    def forward(
        self,
        pixel_values: Tensor | None = None,
        bool_masked_pos: Tensor | None = None,
        interpolate_pos_encoding: bool | None = None,
        attention_mask: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        dtype = self.embeddings.patch_embeddings.projection.weight.dtype
        if pixel_values.dtype != dtype:
            pixel_values = pixel_values.to(dtype)
        embedded = self.embeddings(
            pixel_values, bool_masked_pos=bool_masked_pos, interpolate_pos_encoding=interpolate_pos_encoding
        )
        attention_mask = create_bidirectional_mask(self.config, embedded, attention_mask)
        last = run_layers(self.layers, embedded, attention_mask, **kwargs)
        last = self.layernorm(last)
        pooled = self.pooler(last) if self.pooler is not None else None
        return BaseModelOutputWithPooling(last_hidden_state=last, pooler_output=pooled)


class ImageClassifier(VisionModelBase):
    """A model under `base_model_prefix` and a linear layer over what `feature` makes of its outputs."""

    model_class = VisionModel
    output_class = ImageClassifierOutput

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.num_labels = config.num_labels
        setattr(self, self.base_model_prefix, self.make_model(config))
        self.build(config)
        self.post_init()

    def make_model(self, config: PreTrainedConfig) -> Any:
        return self.model_class(config, add_pooling_layer=False)

    def build(self, config: PreTrainedConfig) -> None:
        self.classifier = linear_or_nothing(self.width(config), config.num_labels)

    def width(self, config: PreTrainedConfig) -> Any:
        return config.hidden_size

    def feature(self, outputs: Any) -> Any:
        """What the classifier gets: the first token [batch, size]."""
        return outputs.last_hidden_state[:, 0, :]

    def forward(
        self,
        pixel_values: Tensor | None = None,
        labels: Tensor | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        outputs = self.base_model(pixel_values, **kwargs)
        feature = self.feature(outputs)
        logits = self.classifier(feature)
        loss = None
        if labels is not None:
            loss = self.loss_function(labels, logits, self.config)
        return self.output_class(loss=loss, logits=logits, **beside(outputs))
