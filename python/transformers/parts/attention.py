"""Attention by implementation: separate operators (eager), PyTorch's fused one (sdpa), or the flash_attn package."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


def repeat_kv(states: Tensor, times: int) -> Tensor:
    """Repeats each head of keys or values [batch, heads, length, size] for the queries that share it."""
    batch, heads, length, size = states.shape
    if times == 1:
        return states
    states = states[:, :, None, :, :].expand(batch, heads, times, length, size)
    return states.reshape(batch, heads * times, length, size)


def eager_attention(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor,
    scaling: float,
    dropout: float = 0.0,
    softcap: Any = None,
    **_: Tensor | bool | None,
) -> tuple[Tensor, Tensor]:
    """Scores are a tensor of [batch, heads, queries, keys], their softmax is taken in float32."""
    keys = repeat_kv(key, module.num_key_value_groups)
    values = repeat_kv(value, module.num_key_value_groups)
    weights = torch.matmul(query, keys.transpose(2, 3)) * scaling
    if softcap is not None:
        weights = weights / softcap
        weights = torch.tanh(weights)
        weights = weights * softcap
    if mask is not None:
        weights = weights + mask
    weights = F.softmax(weights, dim=-1, dtype=torch.float32).to(query.dtype)
    weights = F.dropout(weights, p=dropout, training=module.training)
    output = torch.matmul(weights, values)
    output = output.transpose(1, 2).contiguous()
    return output, weights


def eager_wide(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    scaling: float,
    dropout: float = 0.0,
    **_: Any,
) -> tuple:
    """As eager_attention, for models whose queries share no keys."""
    weights = torch.matmul(query, key.transpose(2, 3)) * scaling
    if mask is not None:
        weights = weights + mask
    weights = F.softmax(weights, dim=-1, dtype=torch.float32).to(query.dtype)
    weights = F.dropout(weights, p=dropout, training=module.training)
    output = torch.matmul(weights, value)
    output = output.transpose(1, 2).contiguous()
    return output, weights


def sdpa_attention(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    is_causal: bool | None = None,
    **_: Tensor | int | None,
) -> tuple[Tensor, None]:
    shared = {}
    if hasattr(module, "num_key_value_groups"):
        if mask is None and torch.__version__ >= (2, 5):
            shared = {"enable_gqa": True}
        else:
            key = repeat_kv(key, module.num_key_value_groups)
            value = repeat_kv(value, module.num_key_value_groups)
    if is_causal is None:
        is_causal = getattr(module, "is_causal", True)
    is_causal = query.shape[2] > 1 and mask is None and is_causal
    output = F.scaled_dot_product_attention(
        query, key, value, attn_mask=mask, dropout_p=dropout, scale=scaling, is_causal=is_causal, **shared
    )
    output = output.transpose(1, 2).contiguous()
    return output, None


def flash_attention(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    sliding_window: Any = None,
    softcap: Any = None,
    is_causal: bool | None = None,
    cu_seq_lens_q: Any = None,
    cu_seq_lens_k: Any = None,
    max_length_q: Any = None,
    max_length_k: Any = None,
    **_: Any,
) -> tuple:
    """flash_attn takes [batch, length, heads, size]; with a mask, only the tokens that are not padding. Where a row holds
    several sequences, their bounds come as `cu_seq_lens_q` and `cu_seq_lens_k`, the longest as `max_length_q` and `_k`."""
    if mask is not None:
        raise NotImplementedError("vramscope does not run flash_attention_2 with padded batches yet")
    query = query.transpose(1, 2)
    key = key.transpose(1, 2)
    value = value.transpose(1, 2)
    if is_causal is None:
        is_causal = getattr(module, "is_causal", True)
    options = (
        {"window_size": (sliding_window - 1, sliding_window - 1)}
        if sliding_window and key.shape[1] > sliding_window
        else {}
    )
    if softcap is not None:
        options["softcap"] = softcap
    options |= {"dropout_p": dropout, "softmax_scale": scaling, "causal": is_causal and query.shape[1] > 1}
    bounds = None
    if cu_seq_lens_q is not None and max_length_q is not None:
        bounds = (cu_seq_lens_q, cu_seq_lens_k, max_length_q, max_length_k)
    return _flash(query, key, value, _narrow_dtype(module, query), bounds, options), None


def _narrow_dtype(module, query):
    """What float32 queries are cast to: norms of a model that is trained in parts are in float32. None for others.
    transformers/integrations/flash_attention.py: get_target_dtype."""
    if query.dtype != torch.float32:
        return None
    if torch.is_autocast_enabled("cuda"):
        return torch.get_autocast_dtype("cuda")
    if getattr(module.config, "_is_quantized", False):
        return module.config.dtype
    return next(part for part in module.modules() if isinstance(part, nn.Linear)).weight.dtype


def _flash(query, key, value, dtype, bounds, options):
    """The call of flash_attn. Its caller goes on holding what was not cast."""
    from flash_attn import flash_attn_func, flash_attn_varlen_func

    if dtype is not None:
        query, key, value = query.to(dtype), key.to(dtype), value.to(dtype)
    if bounds is None:
        return flash_attn_func(query, key, value, **options)
    shape = query.shape
    query, key, value = (t.reshape(-1, *t.shape[-2:]) for t in (query, key, value))
    return flash_attn_varlen_func(query, key, value, *bounds, **options).view(shape[0], -1, *shape[-2:])


IMPLEMENTATIONS = {"sdpa": sdpa_attention, "flash_attention_2": flash_attention, "flash_attention_3": flash_attention}


class AttentionInterface(dict):
    """Attention functions by name, to which a program may add."""

    def get_interface(self, name: str, default: Callable) -> Callable:
        if name in (None, "eager"):
            return default
        if name not in self:
            raise KeyError(
                f"vramscope has no attention implementation {name!r}; it has eager, {', '.join(sorted(self))}"
            )
        return self[name]

    @classmethod
    def register(cls, name: str, function: Callable) -> None:
        ALL_ATTENTION_FUNCTIONS[name] = function


ALL_ATTENTION_FUNCTIONS = AttentionInterface(IMPLEMENTATIONS)


class HeadedModule(nn.Module):
    """A module that attends with the implementation that its config names."""

    eager = staticmethod(eager_attention)

    def attention_function(self) -> Callable:
        return ALL_ATTENTION_FUNCTIONS.get_interface(self.config._attn_implementation, self.eager)
