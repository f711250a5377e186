"""What attention remembers between calls: keys and values per layer, growing, windowed or of fixed size, and recurrent states."""

import torch


class DynamicLayer:
    """Keys and values [batch, heads, length, size] that grow by concatenation."""

    is_sliding = False
    is_compileable = False

    def __init__(self, config=None):
        self.keys = self.values = None
        self.is_initialized = False

    def lazy_initialization(self, keys, values):
        self.dtype, self.device = keys.dtype, keys.device
        self.keys = torch.tensor([], dtype=self.dtype, device=self.device)
        self.values = torch.tensor([], dtype=self.dtype, device=self.device)
        self.is_initialized = True

    def update(self, keys, values, *_, **__):
        if not self.is_initialized:
            self.lazy_initialization(keys, values)
        self.keys = torch.cat([self.keys, keys], dim=-2)
        self.values = torch.cat([self.values, values], dim=-2)
        return self.keys, self.values

    def get_seq_length(self):
        if not self.is_initialized or self.keys.numel() == 0:
            return 0
        return self.keys.shape[-2]

    def get_mask_sizes(self, length):
        """How many keys a mask for `length` new tokens covers, and the position of the first."""
        return self.get_seq_length() + length, 0

    def get_max_cache_shape(self):
        return -1

    def reset(self):
        if self.is_initialized:
            self.keys.zero_()
            self.values.zero_()

    def crop(self, length):
        if length < 0:
            length += self.get_seq_length()
        if self.get_seq_length() > length:
            self.keys = self.keys[..., :length, :]
            self.values = self.values[..., :length, :]

    def reorder_cache(self, beams):
        if self.get_seq_length() > 0:
            self.keys = self.keys.index_select(0, beams.to(self.keys.device))
            self.values = self.values.index_select(0, beams.to(self.values.device))

    def batch_repeat_interleave(self, repeats):
        if self.get_seq_length() > 0:
            self.keys = self.keys.repeat_interleave(repeats, dim=0)
            self.values = self.values.repeat_interleave(repeats, dim=0)

    def batch_select_indices(self, indices):
        if self.get_seq_length() > 0:
            self.keys = self.keys[indices, ...]
            self.values = self.values[indices, ...]


class DynamicSlidingWindowLayer(DynamicLayer):
    """Remembers the last `window - 1` tokens, as a view of the last concatenation."""

    is_sliding = True

    def __init__(self, config=None, sliding_window=None):
        super().__init__(config)
        if sliding_window is None:
            sliding_window = getattr(config, "sliding_window", None) or getattr(config, "attention_chunk_size", None)
        self.sliding_window = sliding_window
        self.cumulative_length = 0
        self._window = torch.tensor(sliding_window, dtype=torch.long)

    def lazy_initialization(self, keys, values):
        super().lazy_initialization(keys, values)
        self._window = self._window.to(self.device)

    def update(self, keys, values, *_, **__):
        if not self.is_initialized:
            self.lazy_initialization(keys, values)
        self.cumulative_length += keys.shape[-2]
        all_keys = torch.cat([self.keys, keys], dim=-2)
        all_values = torch.cat([self.values, values], dim=-2)
        self.keys = all_keys[:, :, 1 - self.sliding_window :, :]
        self.values = all_values[:, :, 1 - self.sliding_window :, :]
        return all_keys, all_values

    def get_seq_length(self):
        return self.cumulative_length

    def get_mask_sizes(self, length):
        first = max(self.cumulative_length - self.sliding_window + 1, 0)
        if self.cumulative_length >= self.sliding_window:
            return self.sliding_window - 1 + length, first
        return self.cumulative_length + length, first

    def get_max_cache_shape(self):
        return self.sliding_window

    def reset(self):
        super().reset()
        self.cumulative_length = 0


class StaticLayer(DynamicLayer):
    """Keys and values for `max_cache_len` tokens, made at the first update and written in place."""

    is_compileable = True

    def __init__(self, max_cache_len):
        super().__init__()
        self.max_cache_len = max_cache_len
        self.cumulative_length = torch.tensor([0], dtype=int)

    def lazy_initialization(self, keys, values):
        self.dtype, self.device = keys.dtype, keys.device
        batch, heads = keys.shape[:2]
        self.max_batch_size, self.num_heads = batch, heads
        self.keys = torch.zeros(
            (batch, heads, self.max_cache_len, keys.shape[-1]), dtype=self.dtype, device=self.device
        )
        self.values = torch.zeros(
            (batch, heads, self.max_cache_len, values.shape[-1]), dtype=self.dtype, device=self.device
        )
        self.cumulative_length = self.cumulative_length.to(self.device)
        self.is_initialized = True

    def _write(self, keys, values):
        count = keys.shape[-2]
        places = torch.arange(count, device=self.device) + self.cumulative_length
        self.cumulative_length.add_(count)
        self.keys.index_copy_(2, places, keys)
        self.values.index_copy_(2, places, values)
        return self.keys, self.values

    def update(self, keys, values, *_, **__):
        if not self.is_initialized:
            self.lazy_initialization(keys, values)
        return self._write(keys, values)

    def get_seq_length(self):
        return self.cumulative_length if self.is_initialized else 0

    def get_mask_sizes(self, length):
        return self.max_cache_len, 0

    def get_max_cache_shape(self):
        return self.max_cache_len

    def reset(self):
        super().reset()
        if self.is_initialized:
            self.cumulative_length.zero_()


class StaticSlidingWindowLayer(StaticLayer):
    """The last `sliding_window` tokens in tensors of fixed size."""

    is_sliding = True

    def __init__(self, max_cache_len, sliding_window):
        super().__init__(min(sliding_window, max_cache_len))
        self.seen = 0

    def update(self, keys, values, *_, **__):
        if not self.is_initialized:
            self.lazy_initialization(keys, values)
        count, before = keys.shape[-2], self.seen
        self.seen += count
        if before >= self.max_cache_len:
            if count == 1:
                return self._roll(keys, values)
            all_keys = torch.cat((self.keys[:, :, 1:, :], keys), dim=-2)
            all_values = torch.cat((self.values[:, :, 1:, :], values), dim=-2)
        elif before + count <= self.max_cache_len:
            return self._write_window(keys, values)
        elif before == 0:
            all_keys, all_values = keys, values
        else:
            all_keys = torch.cat((self.keys[:, :, :before, :], keys), dim=-2)
            all_values = torch.cat((self.values[:, :, :before, :], values), dim=-2)
        self.keys.copy_(all_keys[:, :, -self.max_cache_len :, :])
        self.values.copy_(all_values[:, :, -self.max_cache_len :, :])
        return all_keys, all_values

    def _roll(self, keys, values):
        rolled_keys = self.keys.roll(-1, dims=-2)
        rolled_values = self.values.roll(-1, dims=-2)
        last = torch.tensor([-1], dtype=int, device=self.device)
        rolled_keys[:, :, last] = keys
        rolled_values[:, :, last] = values
        self.keys.copy_(rolled_keys)
        self.values.copy_(rolled_values)
        return self.keys, self.values

    def _write_window(self, keys, values):
        count = keys.shape[-2]
        places = torch.arange(count, device=self.device) + self.cumulative_length
        self.keys.index_copy_(2, places, keys)
        self.values.index_copy_(2, places, values)
        self.cumulative_length.add_(count)
        return self.keys, self.values

    def get_seq_length(self):
        return self.seen

    def get_mask_sizes(self, length):
        window = self.max_cache_len
        first = max(self.seen - window + 1, 0)
        if self.seen >= window:
            return window + length - 1, first
        if self.seen + length > window:
            return self.seen + length, first
        return window, first

    def reset(self):
        super().reset()
        self.seen = 0


class LinearAttentionLayer:
    """The states of a recurrent layer: the last inputs of its convolution, and what it has summed up."""

    is_sliding = False
    is_compileable = True

    def __init__(self, config=None):
        self.conv_states = self.recurrent_states = None
        self.has_previous_state = False
        self.dtype = None

    def update_conv_state(self, states, **_):
        if self.conv_states is None:
            self.dtype = states.dtype
            self.conv_kernel_size = states.shape[-1]
            self.conv_states = torch.zeros_like(states)
        if not self.has_previous_state:
            self.conv_states.copy_(states)
            self.has_previous_state = True
        else:
            count = states.shape[-1]
            if count >= self.conv_kernel_size:
                moved = states[..., -self.conv_kernel_size :]
            else:
                moved = self.conv_states.roll(shifts=-count, dims=-1)
                moved[:, :, -count:] = states
            self.conv_states.copy_(moved)
        return self.conv_states

    def update_recurrent_state(self, states, **_):
        if self.recurrent_states is None:
            # in the dtype of what the layer remembered first
            self.recurrent_states = torch.zeros_like(states, dtype=self.dtype)
        self.recurrent_states.copy_(states)
        return self.recurrent_states

    def get_seq_length(self):
        return 0

    def get_mask_sizes(self, length):
        return length, 0

    def reset(self):
        if self.conv_states is not None:
            self.conv_states.zero_()
        if self.recurrent_states is not None:
            self.recurrent_states.zero_()
        self.has_previous_state = False

    def reorder_cache(self, beams):
        if self.conv_states is not None:
            self.conv_states = self.conv_states.index_select(0, beams.to(self.conv_states.device))
        if self.recurrent_states is not None:
            self.recurrent_states = self.recurrent_states.index_select(0, beams.to(self.recurrent_states.device))


class LinearAttentionAndFullAttentionLayer(LinearAttentionLayer, DynamicLayer):
    """A layer with both kinds of memory."""

    is_compileable = False

    def __init__(self, config=None):
        DynamicLayer.__init__(self, config)
        LinearAttentionLayer.__init__(self, config)

    get_seq_length = DynamicLayer.get_seq_length
    get_mask_sizes = DynamicLayer.get_mask_sizes

    def reset(self):
        LinearAttentionLayer.reset(self)
        DynamicLayer.reset(self)

    def reorder_cache(self, beams):
        LinearAttentionLayer.reorder_cache(self, beams)
        DynamicLayer.reorder_cache(self, beams)


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

    def __init__(self, layers=None, layer_class_to_replicate=None):
        self.layers = layers if layers is not None else []
        self._kind = layer_class_to_replicate

    def update(self, keys, values, layer_idx, *args, **kwargs):
        if self._kind is not None:
            while len(self.layers) <= layer_idx:
                self.layers.append(self._kind())
        keys, values = self.layers[layer_idx].update(keys, values, *args, **kwargs)
        return keys, values

    def update_conv_state(self, states, layer_idx, **kwargs):
        states = self.layers[layer_idx].update_conv_state(states, **kwargs)
        return states

    def update_recurrent_state(self, states, layer_idx, **kwargs):
        states = self.layers[layer_idx].update_recurrent_state(states, **kwargs)
        return states

    def _attending(self, layer_idx):
        """The nearest layer from `layer_idx` on that counts tokens."""
        if layer_idx >= len(self.layers):
            return None
        if isinstance(self.layers[layer_idx], DynamicLayer):
            return self.layers[layer_idx]
        return next((layer for layer in self.layers if isinstance(layer, DynamicLayer)), None)

    def get_seq_length(self, layer_idx=0):
        layer = self._attending(layer_idx)
        return 0 if layer is None else layer.get_seq_length()

    def get_mask_sizes(self, length, layer_idx):
        layer = self._attending(layer_idx)
        return (length, 0) if layer is None else layer.get_mask_sizes(length)

    def has_previous_state(self, layer_idx=None):
        layers = self.layers if layer_idx is None else self.layers[layer_idx : layer_idx + 1]
        return any(getattr(layer, "has_previous_state", False) for layer in reversed(layers))

    def get_max_cache_shape(self, layer_idx=0):
        return -1 if layer_idx >= len(self.layers) else self.layers[layer_idx].get_max_cache_shape()

    def crop(self, length):
        for layer in self.layers:
            layer.crop(length)

    def reset(self):
        for layer in self.layers:
            layer.reset()

    def reorder_cache(self, beams):
        for layer in self.layers:
            layer.reorder_cache(beams)

    def batch_repeat_interleave(self, repeats):
        for layer in self.layers:
            layer.batch_repeat_interleave(repeats)

    def batch_select_indices(self, indices):
        for layer in self.layers:
            layer.batch_select_indices(indices)

    @property
    def is_compileable(self):
        return bool(self.layers) and all(layer.is_compileable for layer in self.layers)

    @property
    def is_initialized(self):
        return bool(self.layers) and all(layer.is_initialized for layer in self.layers)

    @property
    def is_sliding(self):
        return [layer.is_sliding for layer in self.layers]

    @property
    def max_cache_len(self):
        return max(layer.get_max_cache_shape() for layer in self.layers)

    @property
    def max_batch_size(self):
        return next(
            (size for size in (getattr(layer, "max_batch_size", None) for layer in self.layers) if size is not None),
            None,
        )

    def __len__(self):
        return len(self.layers)

    def __iter__(self):
        for layer in self.layers:
            yield layer.keys, layer.values, getattr(layer, "_window", None)

    def __getitem__(self, index):
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

    def __init__(self, ddp_cache_data=None, config=None, **_):
        if config is None:
            super().__init__(layer_class_to_replicate=DynamicLayer)
        else:
            config = config.get_text_config(decoder=True)
            super().__init__([_GROWING.get(kind, DynamicLayer)(config) for kind in _layer_kinds(config)])
        for index, pair in enumerate(ddp_cache_data or ()):
            self.update(pair[0], pair[1], index)


class StaticCache(Cache):
    """Room for `max_cache_len` tokens in every layer."""

    def __init__(self, config, max_cache_len, **_):
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

    def __init__(self, self_attention_cache, cross_attention_cache):
        self.self_attention_cache = self_attention_cache
        self.cross_attention_cache = cross_attention_cache
        self.is_updated = {}
        for index in range(len(cross_attention_cache)):
            self.is_updated[index] = bool(cross_attention_cache.get_seq_length(index) > 0)

    def get_seq_length(self, layer_idx=0):
        return self.self_attention_cache.get_seq_length(layer_idx)

    def get_mask_sizes(self, length, layer_idx):
        return self.self_attention_cache.get_mask_sizes(length, layer_idx)

    def get_max_cache_shape(self):
        return self.self_attention_cache.get_max_cache_shape()

    def reset(self):
        self.self_attention_cache.reset()
        self.cross_attention_cache.reset()
        for index in self.is_updated:
            self.is_updated[index] = False

    def reorder_cache(self, beams):
        self.self_attention_cache.reorder_cache(beams)
        self.cross_attention_cache.reorder_cache(beams)

    def crop(self, length):
        self.self_attention_cache.crop(length)

    @property
    def is_sliding(self):
        return self.self_attention_cache.is_sliding

    @property
    def is_compileable(self):
        return self.self_attention_cache.is_compileable

    def __len__(self):
        return len(self.self_attention_cache)
