"""Rotary position embeddings: frequencies by kind of scaling, and the ways in which families turn queries and keys by them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


def _size(config):
    return getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads


def _plain(base, size, device=None):
    return 1.0 / (base ** (torch.arange(0, size, 2, dtype=torch.int64).to(device=device, dtype=torch.float) / size))


def _turning(config, part):
    return int(_size(config) * part.get("partial_rotary_factor", 1.0))


def yarn_scale(factor: int | float, weight: Tensor = 1) -> Any:
    return 1.0 if factor <= 1 else 0.1 * weight * math.log(factor) + 1.0


def _yarn(config, part, device):
    factor = part.get("factor") or 1.0
    attention = part.get("attention_factor")
    if attention is None:
        one, all_of = part.get("mscale"), part.get("mscale_all_dim")
        attention = yarn_scale(factor, one) / yarn_scale(factor, all_of) if one and all_of else yarn_scale(factor)
    return _plain(part["rope_theta"], _turning(config, part), device), attention


def _longrope(config, part, device):
    attention = part.get("attention_factor")
    original = part["original_max_position_embeddings"]
    factor = part.get("factor") or config.max_position_embeddings / original
    if attention is None:
        attention = 1.0 if factor <= 1.0 else math.sqrt(1 + math.log(factor) / math.log(original))
    return _plain(part["rope_theta"], _turning(config, part), device), attention


def _unscaled(config, part, device):
    return _plain(part["rope_theta"], _turning(config, part), device), 1.0


def _proportional(config, part, device):
    """Frequencies for all of the head, zero where it does not turn."""
    return _plain(part["rope_theta"], _size(config), device), 1.0


# The number of frequencies decides over memory, not their values: scalings that change values only share a row.
KINDS = {
    "default": _unscaled,
    "linear": _unscaled,
    "dynamic": _unscaled,
    "llama3": _unscaled,
    "proportional": _proportional,
    "yarn": _yarn,
    "longrope": _longrope,
    "su": _longrope,
}


class RotaryEmbedding(nn.Module):
    """Cosine and sine for each position: two tensors [batch, length, turning size] of the dtype of `x`, or float32."""

    # whether the result is cast to the dtype of the states
    cast = True

    def __init__(
        self, config: PreTrainedConfig, device: torch.device | str | int | None = None, layer_type: Any = None
    ) -> None:
        super().__init__()
        self.config = config
        self.layer_type = layer_type
        part = config.rope_parameters if layer_type is None else config.rope_parameters[layer_type]
        self.rope_type = part["rope_type"]
        self.max_seq_len_cached = self.original_max_seq_len = getattr(config, "max_position_embeddings", 0)
        frequencies, self.attention_scaling = self.frequencies(config, part, device)
        self.register_buffer("inv_freq", frequencies, persistent=False)
        self.register_buffer("original_inv_freq", frequencies.clone(), persistent=False)

    def frequencies(
        self, config: PreTrainedConfig, part: dict, device: torch.device | str | int
    ) -> tuple[Tensor, float]:
        return KINDS[part["rope_type"]](config, part, device)

    def spread(self, angles: Tensor) -> Tensor:
        """Each frequency turns two places of a head: as is usual, one in each half."""
        return torch.cat((angles, angles), dim=-1)

    def _follow_length(self, positions, device):
        """Scalings that depend on how long the sequence is read the device; the answer is that it is short."""
        if self.rope_type == "longrope":
            torch.max(positions) + 1
            self.original_inv_freq = self.original_inv_freq.to(device)
            self.register_buffer("inv_freq", self.original_inv_freq, persistent=False)
        elif "dynamic" in self.rope_type:
            torch.max(positions) + 1

    @torch.no_grad()
    def forward(self, x: Tensor, position_ids: Tensor) -> tuple[Tensor, Tensor]:
        self._follow_length(position_ids, x.device)
        frequencies = self.inv_freq[None, :, None].float().expand(position_ids.shape[0], -1, 1).to(x.device)
        positions = position_ids[:, None, :].float()
        with torch.autocast(device_type=x.device.type, enabled=False):
            angles = (frequencies.float() @ positions.float()).transpose(1, 2)
            both = self.spread(angles)
            cos = both.cos() * self.attention_scaling
            sin = both.sin() * self.attention_scaling
        return (cos.to(dtype=x.dtype), sin.to(dtype=x.dtype)) if self.cast else (cos, sin)


class WideRotaryEmbedding(RotaryEmbedding):
    """Stays in float32, so that queries and keys are turned in float32."""

    cast = False


class LayeredRotaryEmbedding(nn.Module):
    """Other angles for each kind of layer; `forward` is told which."""

    def __init__(self, config: PreTrainedConfig, device: torch.device | str | int | None = None) -> None:
        super().__init__()
        self.config = config
        self.scaling = {}
        for kind in set(config.layer_types):
            part = config.rope_parameters[kind]
            frequencies, self.scaling[kind] = KINDS[part["rope_type"]](config, part, device)
            self.register_buffer(f"{kind}_inv_freq", frequencies, persistent=False)
            self.register_buffer(f"{kind}_original_inv_freq", frequencies.clone(), persistent=False)

    @torch.no_grad()
    def forward(self, x: Tensor, position_ids: Tensor, layer_type: str) -> tuple[Tensor, Tensor]:
        frequencies = getattr(self, f"{layer_type}_inv_freq")[None, :, None].float()
        frequencies = frequencies.expand(position_ids.shape[0], -1, 1).to(x.device)
        positions = position_ids[:, None, :].float()
        with torch.autocast(device_type=x.device.type, enabled=False):
            angles = (frequencies.float() @ positions.float()).transpose(1, 2)
            both = torch.cat((angles, angles), dim=-1)
            cos = both.cos() * self.scaling[layer_type]
            sin = both.sin() * self.scaling[layer_type]
        return cos.to(dtype=x.dtype), sin.to(dtype=x.dtype)


def rotate_half(x: Tensor) -> Tensor:
    """The second half, negated, before the first."""
    first = x[..., : x.shape[-1] // 2]
    second = x[..., x.shape[-1] // 2 :]
    return torch.cat((-second, first), dim=-1)


def rotate(query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1) -> tuple[Tensor, Tensor]:
    """Turns all of each head."""
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)
    turned_query = (query * cos) + (rotate_half(query) * sin)
    turned_key = (key * cos) + (rotate_half(key) * sin)
    return turned_query, turned_key


def rotate_part(query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1) -> tuple[Tensor, Tensor]:
    """Turns the first part of each head, as far as `cos` goes, and passes the rest on."""
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)
    size = cos.shape[-1]
    turning_query, passed_query = query[..., :size], query[..., size:]
    turning_key, passed_key = key[..., :size], key[..., size:]
    turned_query = (turning_query * cos) + (rotate_half(turning_query) * sin)
    turned_key = (turning_key * cos) + (rotate_half(turning_key) * sin)
    turned_query = torch.cat([turned_query, passed_query], dim=-1)
    turned_key = torch.cat([turned_key, passed_key], dim=-1)
    return turned_query, turned_key


def rotate_wide(query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1) -> tuple[Tensor, Tensor]:
    """Turns all of each head with float32 angles and casts the result back."""
    query_type, key_type = query.dtype, key.dtype
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)
    turned_query = (query * cos) + (rotate_half(query) * sin)
    turned_key = (key * cos) + (rotate_half(key) * sin)
    return turned_query.to(query_type), turned_key.to(key_type)


def rotate_pairs(x: Tensor) -> Tensor:
    """Every second element, negated, before the one that was in front of it."""
    even = x[..., 0::2]
    odd = x[..., 1::2]
    return torch.stack((-odd, even), dim=-1).flatten(-2)


def rotate_part_by_pairs(
    query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1
) -> tuple[Tensor, Tensor]:
    """Turns neighbours in the first part of each head, and passes the rest on."""
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)
    cos = cos[..., : cos.shape[-1] // 2].repeat_interleave(2, dim=-1)
    sin = sin[..., : sin.shape[-1] // 2].repeat_interleave(2, dim=-1)
    size = cos.shape[-1]
    turning_query, passed_query = query[..., :size], query[..., size:]
    turning_key, passed_key = key[..., :size], key[..., size:]
    turned_query = (turning_query * cos) + (rotate_pairs(turning_query) * sin)
    turned_key = (turning_key * cos) + (rotate_pairs(turning_key) * sin)
    turned_query = torch.cat([turned_query, passed_query], dim=-1)
    turned_key = torch.cat([turned_key, passed_key], dim=-1)
    return turned_query, turned_key


def rotate_wide_by_pairs(
    query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1
) -> tuple[Tensor, Tensor]:
    """Turns neighbours in float32 and casts the result back."""
    dtype = query.dtype
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)
    cos = cos[..., : cos.shape[-1] // 2].repeat_interleave(2, dim=-1)
    sin = sin[..., : sin.shape[-1] // 2].repeat_interleave(2, dim=-1)
    turned_query = (query.float() * cos) + (rotate_pairs(query).float() * sin)
    turned_key = (key.float() * cos) + (rotate_pairs(key).float() * sin)
    return turned_query.to(dtype), turned_key.to(dtype)


def rotate_in_float(
    query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1
) -> tuple[Tensor, Tensor]:
    """Turns neighbours of queries and keys that are cast to float32 first, with angles that are laid out for neighbours."""
    dtype = query.dtype
    query = query.float()
    key = key.float()
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)
    turned_query = (query * cos) + (rotate_pairs(query) * sin)
    turned_key = (key * cos) + (rotate_pairs(key) * sin)
    return turned_query.to(dtype=dtype), turned_key.to(dtype=dtype)


def rotate_part_at_once(
    query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, unsqueeze_dim: int = 1
) -> tuple[Tensor, Tensor]:
    """Turns the first part of each head; each half is joined as soon as it is turned."""
    cos = cos.unsqueeze(unsqueeze_dim)
    sin = sin.unsqueeze(unsqueeze_dim)
    size = cos.shape[-1]
    turning_query, passed_query = query[..., :size], query[..., size:]
    turning_key, passed_key = key[..., :size], key[..., size:]
    turned_query = torch.cat([(turning_query * cos) + (rotate_half(turning_query) * sin), passed_query], dim=-1)
    turned_key = torch.cat([(turning_key * cos) + (rotate_half(turning_key) * sin), passed_key], dim=-1)
    return turned_query, turned_key
