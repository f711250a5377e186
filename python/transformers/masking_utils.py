"""Attention masks: made only where the kernel cannot do without, as boolean [batch, 1, queries, keys], or as numbers to add."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor
    from transformers.cache_utils import Cache
    from transformers.configuration_utils import PreTrainedConfig


def causal(batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
    return key <= query


def bidirectional(batch: int, head: Any, query: Tensor, key: Tensor) -> Any:
    return query >= 0


def _within(window):
    return lambda batch, head, query, key: key > query - window


def _around(window):
    return lambda batch, head, query, key: abs(query - key) <= window


def _same_chunk(size, padding):
    def rule(batch, head, query, key):
        return (key - padding[batch]) // size == (query - padding[batch]) // size

    return rule


def both(*rules: Callable) -> Callable:
    """Places that every rule allows."""

    def rule(batch, head, query, key):
        result = query.new_ones((), dtype=torch.bool)
        for each in rules:
            result = result & each(batch, head, query, key).to(result.device)
        return result

    return rule


def either(*rules: Any) -> Callable:
    """Places that one rule allows."""

    def rule(batch, head, query, key):
        result = query.new_zeros((), dtype=torch.bool)
        for each in rules:
            result = result | each(batch, head, query, key).to(result.device)
        return result

    return rule


def _unpadded(mask):
    return lambda batch, head, query, key: mask[batch, key]


def _same_block(numbers):
    def rule(batch, head, query, key):
        one, other = numbers[batch, query], numbers[batch, key]
        return (one == other) & (one >= 0)

    return rule


def _same_sequence(numbers):
    return lambda batch, head, query, key: numbers[batch, query] == numbers[batch, key]


def sdpa_mask(
    batch_size: int,
    q_length: int,
    kv_length: int,
    q_offset: int = 0,
    kv_offset: int = 0,
    mask_function: Callable = causal,
    attention_mask: Tensor | None = None,
    local_size: int | None = None,
    allow_is_causal_skip: bool = True,
    allow_is_bidirectional_skip: bool = False,
    device: torch.device | str = "cpu",
    **_: Any,
) -> Tensor | None:
    """A boolean mask, or None where `is_causal`, or nothing at all, says the same."""
    padding = attention_mask
    if attention_mask is not None and kv_length + kv_offset > attention_mask.shape[-1]:
        padding = torch.nn.functional.pad(attention_mask, (0, kv_length + kv_offset - attention_mask.shape[-1]))
    if allow_is_causal_skip and _causal_suffices(padding, q_length, kv_length, kv_offset, local_size):
        return None
    if allow_is_bidirectional_skip and _nothing_to_mask(padding, kv_length, local_size):
        return None
    if padding is not None:
        mask_function = both(mask_function, _unpadded(padding))
    batches = torch.arange(batch_size, device=device)
    heads = torch.arange(1, device=device)
    queries = torch.arange(q_length, device=device) + q_offset
    keys = torch.arange(kv_length, device=device) + kv_offset
    # one call over the four dimensions, spread by broadcasting
    attention_mask = mask_function(
        *(
            batches[:, None, None, None],
            heads[None, :, None, None],
            queries[None, None, :, None],
            keys[None, None, None, :],
        )
    )
    attention_mask = attention_mask.expand(batch_size, -1, q_length, kv_length)
    return attention_mask


def _causal_suffices(padding, queries, keys, first, window):
    if padding is not None and padding.shape[-1] > keys:
        indices = torch.arange(keys, device=padding.device)
        indices += first
        padding = padding[:, indices]
    return bool(
        (queries == 1 or keys == queries) and (window is None or keys < window) and (padding is None or padding.all())
    )


def _nothing_to_mask(padding, keys, window):
    return bool((padding is None or padding.all()) and (window is None or keys < window))


def eager_mask(dtype: torch.dtype = torch.float32, allow_is_causal_skip: bool | None = None, **sizes: int) -> Tensor:
    """Numbers to add to scores: zero, or the lowest number."""
    mask = sdpa_mask(allow_is_causal_skip=False, **sizes)
    if mask is not None:
        lowest = torch.finfo(dtype).min
        mask = torch.where(mask, torch.tensor(0.0, device=mask.device, dtype=dtype), lowest)
    return mask


def flash_mask(kv_length: Any = None, attention_mask: Tensor | None = None, **_: Any) -> Any:
    """Flash attention takes the two-dimensional mask, and only if something is masked."""
    if attention_mask is not None:
        attention_mask = attention_mask[:, -kv_length:]
        if attention_mask.all():
            attention_mask = None
    return attention_mask


BY_IMPLEMENTATION = {
    "sdpa": sdpa_mask,
    "eager": eager_mask,
    "flash_attention_2": flash_mask,
    "flash_attention_3": flash_mask,
}


def _packed(positions):
    """A number per token that says to which packed sequence it belongs, or None if there is one sequence only."""
    before = positions[:, :1] - 1
    steps = torch.diff(positions, prepend=before, dim=-1)
    numbers = (steps != 1).cumsum(-1)
    if (numbers[:, -1] == 0).all():
        return None
    return numbers


def _layer_like(cache, sliding):
    kinds = getattr(cache, "is_sliding", None)
    return kinds.index(sliding) if kinds is not None and sliding in kinds else 0


def _prepare(config, embeds, mask, cache, positions, layer, encoder_states=None):
    """(finished mask in a tuple, or None; else two-dimensional mask, packing, queries, keys, first query, first key)."""
    if isinstance(mask, torch.Tensor) and mask.dim() == 4:
        return (mask,), None
    if config._attn_implementation not in BY_IMPLEMENTATION:
        return (None,), None
    if mask is not None and mask.dim() == 2:
        mask = mask.to(device=embeds.device, dtype=torch.bool)
    queries = embeds.shape[1]
    if cache is not None:
        first_query = cache.get_seq_length()
        if isinstance(first_query, torch.Tensor):
            first_query = first_query.to(embeds.device)
        keys, first_key = cache.get_mask_sizes(queries, layer)
    else:
        first_query = first_key = 0
        if mask is not None:
            keys = mask.shape[-1]
        else:
            keys = queries if encoder_states is None else encoder_states.shape[1]
    packing = None
    if positions is not None and mask is None and cache is None:
        if positions.shape[0] != embeds.shape[0]:
            positions = positions.expand(embeds.shape[0], -1)
        packing = _packed(positions)
    return None, (mask, packing, queries, keys, first_query, first_key)


def _create(
    config, embeds, mask, cache, positions, rule, sliding, window, skips, extra, encoder_states=None, blocks=None
):
    done, prepared = _prepare(config, embeds, mask, cache, positions, _layer_like(cache, sliding), encoder_states)
    if done is not None:
        return done[0]
    mask, packing, queries, keys, first_query, first_key = prepared
    source = embeds if encoder_states is None else encoder_states
    causal_skip, bidirectional_skip = skips
    for combine, more in extra:
        if more is not None:
            rule = combine(rule, more)
            causal_skip = bidirectional_skip = False
    if packing is not None:
        rule = both(rule, _same_sequence(packing))
        causal_skip = False
    if blocks is not None:
        missing = keys + first_key - blocks.shape[-1]
        if missing > 0:
            blocks = torch.nn.functional.pad(blocks, (0, missing), value=-1)
        rule = either(rule, _same_block(blocks))
        causal_skip = bidirectional_skip = False
    return BY_IMPLEMENTATION[config._attn_implementation](
        batch_size=source.shape[0],
        q_length=queries,
        kv_length=keys,
        q_offset=first_query,
        kv_offset=first_key,
        mask_function=rule,
        attention_mask=mask,
        local_size=window,
        allow_is_causal_skip=causal_skip,
        allow_is_bidirectional_skip=bidirectional_skip,
        dtype=source.dtype,
        device=embeds.device,
    )


def create_causal_mask(
    config: PreTrainedConfig,
    inputs_embeds: Tensor,
    attention_mask: Tensor | None,
    past_key_values: Cache | None,
    position_ids: Tensor | None = None,
    or_mask_function: Callable | None = None,
    and_mask_function: Callable | None = None,
    block_sequence_ids: Tensor | None = None,
    **_: Any,
) -> Tensor | None:
    """
    For layers whose tokens see all that came before. None where the kernel knows by itself.

    `block_sequence_ids` [batch, length] numbers the blocks that see themselves whole; -1 is in none.
    """
    if not getattr(config, "is_causal", True):
        return create_bidirectional_mask(config, inputs_embeds, attention_mask, past_key_values=past_key_values)
    skip = not getattr(past_key_values, "is_compileable", False)
    extra = ((either, or_mask_function), (both, and_mask_function))
    return _create(
        *(config, inputs_embeds, attention_mask, past_key_values, position_ids),
        *(causal, False, None, (skip, False), extra),
        blocks=block_sequence_ids,
    )


def create_sliding_window_causal_mask(
    config: PreTrainedConfig,
    inputs_embeds: Tensor,
    attention_mask: Tensor | None,
    past_key_values: Cache | None,
    position_ids: Tensor | None = None,
    or_mask_function: Callable | None = None,
    and_mask_function: Callable | None = None,
    block_sequence_ids: Tensor | None = None,
    **_: Any,
) -> Tensor:
    """For layers whose tokens see the last `config.sliding_window` tokens."""
    window = config.sliding_window
    skip = not getattr(past_key_values, "is_compileable", False)
    extra = ((either, or_mask_function), (both, and_mask_function))
    return _create(
        *(config, inputs_embeds, attention_mask, past_key_values, position_ids),
        *(both(_within(window), causal), True, window, (skip, False), extra),
        blocks=block_sequence_ids,
    )


def create_chunked_causal_mask(
    config: PreTrainedConfig,
    inputs_embeds: Tensor,
    attention_mask: Tensor | None,
    past_key_values: Cache | None,
    position_ids: Tensor | None = None,
    **_: Any,
) -> Tensor:
    """For layers whose tokens see what came before within their chunk of `config.attention_chunk_size`."""
    size = config.attention_chunk_size
    if attention_mask is not None:
        padding = (attention_mask.cumsum(dim=-1) == torch.zeros_like(attention_mask)).sum(dim=-1)
    else:
        padding = torch.zeros(inputs_embeds.shape[0], device=inputs_embeds.device, dtype=int)
    skip = not getattr(past_key_values, "is_compileable", False)
    return _create(
        *(config, inputs_embeds, attention_mask, past_key_values, position_ids),
        *(both(_same_chunk(size, padding), causal), True, size, (skip, False), ()),
    )


def create_bidirectional_mask(
    config: PreTrainedConfig,
    inputs_embeds: Tensor,
    attention_mask: Tensor | None,
    encoder_hidden_states: Tensor | None = None,
    past_key_values: Cache | None = None,
    or_mask_function: Callable | None = None,
    and_mask_function: Callable | None = None,
    **_: Any,
) -> Tensor | None:
    """For layers whose tokens see everything but padding."""
    extra = ((either, or_mask_function), (both, and_mask_function))
    return _create(
        *(config, inputs_embeds, attention_mask, past_key_values, None),
        *(bidirectional, False, None, (False, True), extra, encoder_hidden_states),
    )


def create_bidirectional_sliding_window_mask(
    config: PreTrainedConfig,
    inputs_embeds: Tensor,
    attention_mask: Tensor | None,
    past_key_values: Cache | None = None,
    **_: Any,
) -> Tensor | None:
    """For layers whose tokens see as far as `config.sliding_window` to both sides."""
    window = config.sliding_window
    return _create(
        *(config, inputs_embeds, attention_mask, past_key_values, None),
        *(both(_around(window), bidirectional), True, window, (False, True), ()),
    )


def create_masks_for_generate(
    config: PreTrainedConfig,
    inputs_embeds: Tensor,
    attention_mask: Tensor | None,
    past_key_values: Cache | None,
    position_ids: Tensor | None = None,
    **_: Any,
) -> Tensor | dict | None:
    """The masks of a model, by kind of layer where it has several kinds."""
    config = config.get_text_config()
    by_kind = {
        "full_attention": create_causal_mask,
        "sliding_attention": create_sliding_window_causal_mask,
        "chunked_attention": create_chunked_causal_mask,
    }
    arguments = (config, inputs_embeds, attention_mask, past_key_values, position_ids)
    kinds = getattr(config, "layer_types", None)
    if kinds is not None:
        return {kind: by_kind[kind](*arguments) for kind in sorted(set(kinds))}
    if getattr(config, "sliding_window", None) is not None:
        return create_sliding_window_causal_mask(*arguments)
    return create_causal_mask(*arguments)
