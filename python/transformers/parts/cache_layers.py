"""What attention remembers in one layer: growing, windowed, of fixed size, or recurrent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor
    from transformers.configuration_utils import PreTrainedConfig


class DynamicLayer:
    """Keys and values [batch, heads, length, size] that grow by concatenation."""

    is_sliding = False
    is_compileable = False

    def __init__(self, config: PreTrainedConfig | None = None) -> None:
        self.keys = self.values = None
        self.is_initialized = False

    def lazy_initialization(self, keys: Tensor, values: Tensor) -> None:
        self.dtype, self.device = keys.dtype, keys.device
        self.keys = torch.tensor([], dtype=self.dtype, device=self.device)
        self.values = torch.tensor([], dtype=self.dtype, device=self.device)
        self.is_initialized = True

    def update(self, keys: Tensor, values: Tensor, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
        if not self.is_initialized:
            self.lazy_initialization(keys, values)
        self.keys = torch.cat([self.keys, keys], dim=-2)
        self.values = torch.cat([self.values, values], dim=-2)
        return self.keys, self.values

    def get_seq_length(self) -> int:
        if not self.is_initialized or self.keys.numel() == 0:
            return 0
        return self.keys.shape[-2]

    def get_mask_sizes(self, length: int) -> tuple[int, int]:
        """How many keys a mask for `length` new tokens covers, and the position of the first."""
        return self.get_seq_length() + length, 0

    def get_max_cache_shape(self) -> int:
        return -1

    def reset(self) -> None:
        if self.is_initialized:
            self.keys.zero_()
            self.values.zero_()

    def crop(self, length: int) -> None:
        if length < 0:
            length += self.get_seq_length()
        if self.get_seq_length() > length:
            self.keys = self.keys[..., :length, :]
            self.values = self.values[..., :length, :]

    def reorder_cache(self, beams: int) -> None:
        if self.get_seq_length() > 0:
            self.keys = self.keys.index_select(0, beams.to(self.keys.device))
            self.values = self.values.index_select(0, beams.to(self.values.device))

    def batch_repeat_interleave(self, repeats: int) -> None:
        if self.get_seq_length() > 0:
            self.keys = self.keys.repeat_interleave(repeats, dim=0)
            self.values = self.values.repeat_interleave(repeats, dim=0)

    def batch_select_indices(self, indices: Tensor) -> None:
        if self.get_seq_length() > 0:
            self.keys = self.keys[indices, ...]
            self.values = self.values[indices, ...]


class DynamicSlidingWindowLayer(DynamicLayer):
    """Remembers the last `window - 1` tokens, as a view of the last concatenation."""

    is_sliding = True

    def __init__(self, config: PreTrainedConfig | None = None, sliding_window: int | None = None) -> None:
        super().__init__(config)
        if sliding_window is None:
            sliding_window = getattr(config, "sliding_window", None) or getattr(config, "attention_chunk_size", None)
        self.sliding_window = sliding_window
        self.cumulative_length = 0
        self._window = torch.tensor(sliding_window, dtype=torch.long)

    def lazy_initialization(self, keys: Tensor, values: Tensor) -> None:
        super().lazy_initialization(keys, values)
        self._window = self._window.to(self.device)

    def update(self, keys: Tensor, values: Tensor, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
        if not self.is_initialized:
            self.lazy_initialization(keys, values)
        self.cumulative_length += keys.shape[-2]
        all_keys = torch.cat([self.keys, keys], dim=-2)
        all_values = torch.cat([self.values, values], dim=-2)
        self.keys = all_keys[:, :, 1 - self.sliding_window :, :]
        self.values = all_values[:, :, 1 - self.sliding_window :, :]
        return all_keys, all_values

    def get_seq_length(self) -> int:
        return self.cumulative_length

    def get_mask_sizes(self, length: int) -> tuple[int, int]:
        first = max(self.cumulative_length - self.sliding_window + 1, 0)
        if self.cumulative_length >= self.sliding_window:
            return self.sliding_window - 1 + length, first
        return self.cumulative_length + length, first

    def get_max_cache_shape(self) -> int:
        return self.sliding_window

    def reset(self) -> None:
        super().reset()
        self.cumulative_length = 0


class StaticLayer(DynamicLayer):
    """Keys and values for `max_cache_len` tokens, made at the first update and written in place."""

    is_compileable = True

    def __init__(self, max_cache_len: int) -> None:
        super().__init__()
        self.max_cache_len = max_cache_len
        self.cumulative_length = torch.tensor([0], dtype=int)

    def lazy_initialization(self, keys: Any, values: Any) -> None:
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

    def update(self, keys: Any, values: Any, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
        if not self.is_initialized:
            self.lazy_initialization(keys, values)
        return self._write(keys, values)

    def get_seq_length(self) -> int:
        return self.cumulative_length if self.is_initialized else 0

    def get_mask_sizes(self, length: int) -> tuple[int, int]:
        return self.max_cache_len, 0

    def get_max_cache_shape(self) -> int:
        return self.max_cache_len

    def reset(self) -> None:
        super().reset()
        if self.is_initialized:
            self.cumulative_length.zero_()


class StaticSlidingWindowLayer(StaticLayer):
    """The last `sliding_window` tokens in tensors of fixed size."""

    is_sliding = True

    def __init__(self, max_cache_len: int, sliding_window: int) -> None:
        super().__init__(min(sliding_window, max_cache_len))
        self.seen = 0

    def update(self, keys: Any, values: Any, *_: Any, **__: Any) -> tuple[Tensor, Tensor]:
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

    def get_seq_length(self) -> int:
        return self.seen

    def get_mask_sizes(self, length: int) -> tuple[int, int]:
        window = self.max_cache_len
        first = max(self.seen - window + 1, 0)
        if self.seen >= window:
            return window + length - 1, first
        if self.seen + length > window:
            return self.seen + length, first
        return window, first

    def reset(self) -> None:
        super().reset()
        self.seen = 0


class LinearAttentionLayer:
    """The states of a recurrent layer: the last inputs of its convolution, and what it has summed up."""

    is_sliding = False
    is_compileable = True

    def __init__(self, config: PreTrainedConfig | None = None) -> None:
        self.conv_states = self.recurrent_states = None
        self.has_previous_state = False
        self.dtype = None

    def update_conv_state(self, states: Tensor, **_: Any) -> Tensor:
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

    def update_recurrent_state(self, states: Tensor, **_: Any) -> Tensor:
        if self.recurrent_states is None:
            # in the dtype of what the layer remembered first
            self.recurrent_states = torch.zeros_like(states, dtype=self.dtype)
        self.recurrent_states.copy_(states)
        return self.recurrent_states

    def get_seq_length(self) -> int:
        return 0

    def get_mask_sizes(self, length: int) -> tuple:
        return length, 0

    def reset(self) -> None:
        if self.conv_states is not None:
            self.conv_states.zero_()
        if self.recurrent_states is not None:
            self.recurrent_states.zero_()
        self.has_previous_state = False

    def reorder_cache(self, beams: int) -> None:
        if self.conv_states is not None:
            self.conv_states = self.conv_states.index_select(0, beams.to(self.conv_states.device))
        if self.recurrent_states is not None:
            self.recurrent_states = self.recurrent_states.index_select(0, beams.to(self.recurrent_states.device))


class LinearAttentionAndFullAttentionLayer(LinearAttentionLayer, DynamicLayer):
    """A layer with both kinds of memory."""

    is_compileable = False

    def __init__(self, config: PreTrainedConfig | None = None) -> None:
        DynamicLayer.__init__(self, config)
        LinearAttentionLayer.__init__(self, config)

    get_seq_length = DynamicLayer.get_seq_length
    get_mask_sizes = DynamicLayer.get_mask_sizes

    def reset(self) -> None:
        LinearAttentionLayer.reset(self)
        DynamicLayer.reset(self)

    def reorder_cache(self, beams: int) -> None:
        LinearAttentionLayer.reorder_cache(self, beams)
        DynamicLayer.reorder_cache(self, beams)
