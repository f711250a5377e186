"""Encoders of images of any size, as Qwen's models have them: all patches of all images in one row, attention within each frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ..activations import ACT2FN
from ..parts.attention import HeadedModule
from .capturing import collects
from ..parts.grids import frame_ends, patch_places
from ..modeling_utils import BLOCK_RECORDS, Block
from ..modeling_outputs import BaseModelOutputWithPooling
from ..parts.rope import rotate_half
from .vision import VisionModelBase

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


def rotate_patches(query: Tensor, key: Tensor, cos: Tensor, sin: Tensor) -> tuple:
    """Turns queries and keys [patches, heads, size] in float32."""
    query_type, key_type = query.dtype, key.dtype
    query, key = query.float(), key.float()
    cos, sin = cos.unsqueeze(-2).float(), sin.unsqueeze(-2).float()
    turned_query = (query * cos) + (rotate_half(query) * sin)
    turned_key = (key * cos) + (rotate_half(key) * sin)
    turned_query = turned_query.to(query_type)
    turned_key = turned_key.to(key_type)
    return turned_query, turned_key


class PatchRotary(nn.Module):
    """Angles [patches, size] of rows and columns."""

    def __init__(self, size: int, theta: float = 10000.0) -> None:
        super().__init__()
        inv_freq = 1.0 / (theta ** (torch.arange(0, size, 2, dtype=torch.float) / size))
        self.register_buffer("inv_freq", inv_freq, persistent=False)

    def forward(self, position_ids: Any) -> Any:
        return (position_ids.unsqueeze(-1) * self.inv_freq).flatten(1)


class Patches(nn.Module):
    """A projection of each patch, whose pixels come as one row."""

    def __init__(self, config: PreTrainedConfig, size: int, bias: Tensor | None) -> None:
        super().__init__()
        kernel = (config.temporal_patch_size, config.patch_size, config.patch_size)
        self.shape = (-1, config.in_channels, *kernel)
        self.embed_dim = size
        self.proj = nn.Conv3d(config.in_channels, size, kernel_size=kernel, stride=kernel, bias=bias)

    def forward(self, hidden_states: Tensor) -> Any:
        dtype = self.proj.weight.dtype
        hidden_states = hidden_states.view(self.shape)
        hidden_states = self.proj(hidden_states.to(dtype=dtype)).view(-1, self.embed_dim)
        return hidden_states


class FrameAttention(HeadedModule):
    """`parts` says where the parts begin that do not see each other, and how many patches each has."""

    def __init__(self, config: PreTrainedConfig, size: int) -> None:
        super().__init__()
        self.config = config
        self.num_heads = config.num_heads
        self.num_key_value_groups = 1
        self.qkv = nn.Linear(size, size * 3)
        self.proj = nn.Linear(size, size)
        self.scaling = (size // config.num_heads) ** -0.5
        self.is_causal = False

    def forward(
        self, hidden_states: Tensor, parts: Any, position_embeddings: Tensor | None = None, **kwargs: Any
    ) -> Any:
        ends, sizes = parts
        length = hidden_states.shape[0]
        query, key, value = self.qkv(hidden_states).reshape(length, 3, self.num_heads, -1).permute(1, 0, 2, 3).unbind(0)
        cos, sin = position_embeddings
        query, key = rotate_patches(query, key, cos, sin)
        query = query.transpose(0, 1).unsqueeze(0)
        key = key.transpose(0, 1).unsqueeze(0)
        value = value.transpose(0, 1).unsqueeze(0)
        _lengths = ends[1:] - ends[:-1]
        splits = [torch.split(states, sizes, dim=2) for states in (query, key, value)]
        attend = self.attention_function()
        outputs = [
            attend(self, *split, None, scaling=self.scaling, dropout=0.0, is_causal=False, **kwargs)[0]
            for split in zip(*splits)
        ]
        output = torch.cat(outputs, dim=1)
        output = output.reshape(length, -1).contiguous()
        output = self.proj(output)
        return output


class PlainMLP(nn.Module):
    """A projection up, the activation, a projection down, under the names that a family gives them."""

    names = ("fc1", "fc2")

    def __init__(self, size: int, inner: int, act: Callable) -> None:
        super().__init__()
        setattr(self, self.names[0], nn.Linear(size, inner))
        setattr(self, self.names[1], nn.Linear(inner, size))
        self.act = ACT2FN[act]

    def forward(self, x: Tensor) -> Any:
        return getattr(self, self.names[1])(self.act(getattr(self, self.names[0])(x)))


class PatchBlock(Block):
    def __init__(self, config: PreTrainedConfig, size: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = self.norm(size), self.norm(size)
        self.attn = FrameAttention(config, size)
        self.mlp = self.make_mlp(config, size)

    def norm(self, size: int) -> Any:
        return nn.LayerNorm(size, eps=1e-6)

    def make_mlp(self, config: PreTrainedConfig, size: int) -> NoReturn:
        raise NotImplementedError

    def forward(
        self, hidden_states: Tensor, parts: Any, position_embeddings: Tensor | None = None, **kwargs: Any
    ) -> Any:
        hidden_states = hidden_states + self.attn(
            self.norm1(hidden_states), parts=parts, position_embeddings=position_embeddings, **kwargs
        )
        hidden_states = hidden_states + self.mlp(self.norm2(hidden_states))
        return hidden_states


class PatchMerger(nn.Module):
    """Joins squares of patches and projects them to the size of the text's states."""

    def __init__(self, norm: Any, size: int, out: Tensor, merge: Any) -> None:
        super().__init__()
        self.hidden_size = size * merge**2
        self.ln_q = norm
        self.mlp = nn.Sequential(
            nn.Linear(self.hidden_size, self.hidden_size), nn.GELU(), nn.Linear(self.hidden_size, out)
        )

    def forward(self, x: Tensor) -> Tensor:
        x = self.mlp(self.ln_q(x).view(-1, self.hidden_size))
        return x


class PatchedVisionModel(VisionModelBase):
    """`size_name` is the config's field for the size of patches' states, `out_name` that for the merged ones."""

    block_class = PatchBlock
    records = BLOCK_RECORDS
    size_name = "hidden_size"
    out_name = "out_hidden_size"
    patch_bias = False

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__(config)
        self.spatial_merge_size = config.spatial_merge_size
        size = getattr(config, self.size_name)
        self.patch_embed = Patches(config, size, self.patch_bias)
        self.build(config, size)
        self.rotary_pos_emb = PatchRotary(size // config.num_heads // 2)
        self.blocks = nn.ModuleList(self.block_class(config, size) for _ in range(config.depth))
        self.build_mergers(config, size, getattr(config, self.out_name))
        self.gradient_checkpointing = False
        self.post_init()

    def build(self, config: PreTrainedConfig, size: int) -> None:
        """Makes what a family has between patches and blocks."""

    def build_mergers(self, config: PreTrainedConfig, size: int, out: Tensor) -> None:
        norm = self.blocks[0].norm(size)
        self.merger = PatchMerger(norm, size, out, config.spatial_merge_size)

    def get_input_embeddings(self) -> torch.nn.Module:
        return self.patch_embed

    @collects
    def forward(self, hidden_states: Tensor, grid_thw: Any = None, **kwargs: Any) -> Any:
        position_ids = patch_places(grid_thw, self.spatial_merge_size)
        frames = frame_ends(grid_thw)
        hidden_states = self.patch_embed(hidden_states)
        angles = self.rotary_pos_emb(position_ids)
        both = torch.cat((angles, angles), dim=-1)
        position_embeddings = (both.cos(), both.sin())
        for block in self.blocks:
            hidden_states = block(hidden_states, parts=frames, position_embeddings=position_embeddings, **kwargs)
        merged = self.merger(hidden_states)
        return BaseModelOutputWithPooling(last_hidden_state=hidden_states, pooler_output=merged)
