"""What attention remembers between calls: keys and values per layer, growing, windowed or of fixed size, and recurrent states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .parts.cache_layers import (
    DynamicLayer,
    DynamicSlidingWindowLayer,
    LinearAttentionAndFullAttentionLayer,
    LinearAttentionLayer,
    StaticLayer,
    StaticSlidingWindowLayer,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


_GROWING = {
    "full_attention": DynamicLayer,
    "sliding_attention": DynamicSlidingWindowLayer,
    "chunked_attention": DynamicSlidingWindowLayer,
    "mamba": LinearAttentionLayer,
    "conv": LinearAttentionLayer,
    "linear_attention": LinearAttentionLayer,
    "moe": LinearAttentionLayer,
    "hybrid": LinearAttentionAndFullAttentionLayer,
}


class Cache:
    """One memory per layer."""

    def __init__(self, layers: list | None = None, layer_class_to_replicate: type | None = None) -> None:
        self.layers = layers if layers is not None else []
        self._kind = layer_class_to_replicate

    def update(self, keys: Tensor, values: Tensor, layer_idx: int, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        if self._kind is not None:
            while len(self.layers) <= layer_idx:
                self.layers.append(self._kind())
        keys, values = self.layers[layer_idx].update(keys, values, *args, **kwargs)
        return keys, values

    def update_conv_state(self, states: Tensor, layer_idx: int, **kwargs: Any) -> Tensor:
        states = self.layers[layer_idx].update_conv_state(states, **kwargs)
        return states

    def update_recurrent_state(self, states: Tensor, layer_idx: int, **kwargs: Any) -> Tensor:
        states = self.layers[layer_idx].update_recurrent_state(states, **kwargs)
        return states

    def _attending(self, layer_idx):
        """The nearest layer from `layer_idx` on that counts tokens."""
        if layer_idx >= len(self.layers):
            return None
        if isinstance(self.layers[layer_idx], DynamicLayer):
            return self.layers[layer_idx]
        return next((layer for layer in self.layers if isinstance(layer, DynamicLayer)), None)

    def get_seq_length(self, layer_idx: int = 0) -> int:
        layer = self._attending(layer_idx)
        return 0 if layer is None else layer.get_seq_length()

    def get_mask_sizes(self, length: int, layer_idx: int) -> tuple[int, int]:
        layer = self._attending(layer_idx)
        return (length, 0) if layer is None else layer.get_mask_sizes(length)

    def has_previous_state(self, layer_idx: int | None = None) -> bool:
        layers = self.layers if layer_idx is None else self.layers[layer_idx : layer_idx + 1]
        return any(getattr(layer, "has_previous_state", False) for layer in reversed(layers))

    def get_max_cache_shape(self, layer_idx: int = 0) -> int:
        return -1 if layer_idx >= len(self.layers) else self.layers[layer_idx].get_max_cache_shape()

    def crop(self, length: int) -> None:
        for layer in self.layers:
            layer.crop(length)

    def reset(self) -> None:
        for layer in self.layers:
            layer.reset()

    def reorder_cache(self, beams: int) -> None:
        for layer in self.layers:
            layer.reorder_cache(beams)

    def batch_repeat_interleave(self, repeats: int) -> None:
        for layer in self.layers:
            layer.batch_repeat_interleave(repeats)

    def batch_select_indices(self, indices: Tensor) -> None:
        for layer in self.layers:
            layer.batch_select_indices(indices)

    @property
    def is_compileable(self) -> bool:
        return bool(self.layers) and all(layer.is_compileable for layer in self.layers)

    @property
    def is_initialized(self) -> bool:
        return bool(self.layers) and all(layer.is_initialized for layer in self.layers)

    @property
    def is_sliding(self) -> list[bool]:
        return [layer.is_sliding for layer in self.layers]

    @property
    def max_cache_len(self) -> int:
        return max(layer.get_max_cache_shape() for layer in self.layers)

    @property
    def max_batch_size(self) -> int:
        return next(
            (size for size in (getattr(layer, "max_batch_size", None) for layer in self.layers) if size is not None),
            None,
        )

    def __len__(self) -> int:
        return len(self.layers)

    def __iter__(self) -> Iterator:
        for layer in self.layers:
            yield layer.keys, layer.values, getattr(layer, "_window", None)

    def __getitem__(self, index: int) -> tuple:
        return self.layers[index].keys, self.layers[index].values


def _layer_kinds(config, static=False):
    """The kind of attention of each layer that has a memory of its own."""
    kinds = getattr(config, "layer_types", None)
    window = getattr(config, "sliding_window", None)
    if kinds is None:
        if window is not None:
            kind = "sliding_attention"
        elif getattr(config, "attention_chunk_size", None) is not None:
            kind = "chunked_attention" if static else "sliding_attention"
        else:
            kind = "full_attention"
        kinds = [kind] * config.num_hidden_layers
    if hasattr(config, "num_kv_shared_layers"):
        kinds = kinds[: -config.num_kv_shared_layers]
    return kinds


class DynamicCache(Cache):
    """Grows as tokens come; windowed layers keep only their window if a config says so."""

    def __init__(
        self,
        ddp_cache_data: Iterable[tuple[Tensor | None, ...]] | None = None,
        config: PreTrainedConfig | None = None,
        **_: Any,
    ) -> None:
        if config is None:
            super().__init__(layer_class_to_replicate=DynamicLayer)
        else:
            config = config.get_text_config(decoder=True)
            super().__init__([_GROWING.get(kind, DynamicLayer)(config) for kind in _layer_kinds(config)])
        for index, pair in enumerate(ddp_cache_data or ()):
            self.update(pair[0], pair[1], index)


class StaticCache(Cache):
    """Room for `max_cache_len` tokens in every layer."""

    def __init__(self, config: PreTrainedConfig, max_cache_len: int, **_: Any) -> None:
        config = config.get_text_config(decoder=True)
        layers = []
        for kind in _layer_kinds(config, static=True):
            if kind == "sliding_attention":
                layers.append(StaticSlidingWindowLayer(max_cache_len, config.sliding_window))
            elif kind == "chunked_attention":
                layers.append(StaticSlidingWindowLayer(max_cache_len, config.attention_chunk_size))
            elif kind in ("mamba", "conv", "linear_attention", "moe"):
                layers.append(LinearAttentionLayer())
            else:
                layers.append(StaticLayer(max_cache_len))
        super().__init__(layers)


class EncoderDecoderCache:
    """Two memories: of the decoder itself, and of what it read from the encoder."""

    def __init__(self, self_attention_cache: Cache, cross_attention_cache: Cache) -> None:
        self.self_attention_cache = self_attention_cache
        self.cross_attention_cache = cross_attention_cache
        self.is_updated = {}
        for index in range(len(cross_attention_cache)):
            self.is_updated[index] = bool(cross_attention_cache.get_seq_length(index) > 0)

    def get_seq_length(self, layer_idx: int = 0) -> int:
        return self.self_attention_cache.get_seq_length(layer_idx)

    def get_mask_sizes(self, length: int, layer_idx: int) -> tuple[int, int]:
        return self.self_attention_cache.get_mask_sizes(length, layer_idx)

    def get_max_cache_shape(self) -> int:
        return self.self_attention_cache.get_max_cache_shape()

    def reset(self) -> None:
        self.self_attention_cache.reset()
        self.cross_attention_cache.reset()
        for index in self.is_updated:
            self.is_updated[index] = False

    def reorder_cache(self, beams: int) -> None:
        self.self_attention_cache.reorder_cache(beams)
        self.cross_attention_cache.reorder_cache(beams)

    def crop(self, length: int) -> None:
        self.self_attention_cache.crop(length)

    @property
    def is_sliding(self) -> list[bool]:
        return self.self_attention_cache.is_sliding

    @property
    def is_compileable(self) -> bool:
        return self.self_attention_cache.is_compileable

    def __len__(self) -> int:
        return len(self.self_attention_cache)
