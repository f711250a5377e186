"""Attention whose scores and masks are functions: flex_attention and its block masks.

Called as it is, it writes out all scores; compiled, or inside of something compiled, it is one kernel.
"""

from __future__ import annotations

import functools
import math
import sys
import warnings
from typing import TYPE_CHECKING, NamedTuple

import torch

from ..._dynamo import is_compiled
from ...func._index_maps import IndexContext
from ._block_mask import DEFAULT_BLOCK as _DEFAULT_SPARSE_BLOCK_SIZE
from ._block_mask import WHOLE_BLOCK as _LARGE_SPARSE_BLOCK_SIZE
from ._block_mask import (
    BlockMask,
    block_sums,
    empty_mask,
    from_blocks,
    mapped,
    noop_mask,
    partial_and_full,
    sliced_mask,
)
from ._flex_captured import captured
from ._flex_kernels import ByKernel, ByOperators

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


__all__ = [
    "AuxOutput",
    "AuxRequest",
    "BlockMask",
    "FlexKernelOptions",
    "and_masks",
    "create_block_mask",
    "create_mask",
    "flex_attention",
    "noop_mask",
    "or_masks",
]

FlexKernelOptions = dict


class AuxRequest(NamedTuple):
    """What flex_attention returns besides its output."""

    lse: bool = False
    max_scores: bool = False


class AuxOutput(NamedTuple):
    """What was asked for by AuxRequest."""

    lse: Tensor | None = None
    max_scores: Tensor | None = None


def _identity(score, batch, head, token_q, token_kv):
    return score


def _joined(masks, first, join):
    if not all(callable(mask) for mask in masks):
        raise RuntimeError(f"All inputs should be callable mask_mods: {masks}")

    def mask_mod(b, h, q_idx, kv_idx):
        result = first(b)
        for mask in masks:
            result = join(result, mask(b, h, q_idx, kv_idx))
        return result

    return mask_mod


def or_masks(*mask_mods: Callable) -> Callable:
    """A mask function that lets through what any of these does."""
    return _joined(mask_mods, lambda b: b.new_zeros((), dtype=torch.bool), lambda x, y: x | y)


def and_masks(*mask_mods: Callable) -> Callable:
    """A mask function that lets through what all of these do."""
    return _joined(mask_mods, lambda b: b.new_ones((), dtype=torch.bool), lambda x, y: x & y)


def _takes(function):
    """How many arguments a function cannot do without: five change scores, four make masks."""
    code = getattr(function, "__code__", None)
    if code is not None:
        count = code.co_argcount - len(getattr(function, "__defaults__", None) or ())
        count -= hasattr(function, "__self__")
    else:
        import inspect

        parameters = inspect.signature(function).parameters.values()
        count = sum(1 for parameter in parameters if parameter.default is inspect.Parameter.empty)
    if count not in (4, 5):
        raise AssertionError(f"Expected 4 or 5 positional args, got {count}")
    return count


def create_mask(
    mod_fn: Callable,
    B: int | None,
    H: int | None,
    Q_LEN: int,
    KV_LEN: int,
    device: torch.device | str | None = None,
    **_: Any,
) -> Tensor:
    """The mask that a function of scores or of masks makes, written out."""
    device = "cuda" if device is None else device
    sizes = (1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN)
    b, h, m, n = (torch.arange(0, size, device=device) for size in sizes)
    takes = _takes(mod_fn)
    with IndexContext():
        if takes == 4:
            return mapped(mod_fn)(b, h, m, n)
        out = mapped(mod_fn, prefix=(0,))(torch.zeros(*sizes, device=device), b, h, m, n)
        return torch.where(torch.isneginf(out), False, True)


def create_block_mask(
    mask_mod: Callable,
    B: int | None,
    H: int | None,
    Q_LEN: int,
    KV_LEN: int,
    device: torch.device | str | None = None,
    BLOCK_SIZE: int | tuple[int, int] = _DEFAULT_SPARSE_BLOCK_SIZE,
    _compile: bool = False,
    separate_full_blocks: bool = True,
    **_: Any,
) -> BlockMask:
    """The blocks that a mask function lets through; the whole mask is written out on the way unless this is compiled."""
    device = "cuda" if device is None else device
    if _takes(mask_mod) != 4:
        raise AssertionError(f"create-block_mask requires a mask_mod function! Got {mask_mod}")
    q_block, kv_block = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
    if _compile or is_compiled(sys._getframe(1)):
        sizes = (1 if B is None else B, 1 if H is None else H, -(-Q_LEN // q_block), -(-KV_LEN // kv_block))
        sums = torch.empty(sizes, dtype=torch.int64, device=device)
    else:
        mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN, device)
        sums = block_sums(mask, q_block, kv_block)
    blocks = partial_and_full(sums, q_block * kv_block, separate_full_blocks)
    del sums
    return from_blocks(blocks, mask_mod, (Q_LEN, KV_LEN), q_block, kv_block)


create_block_mask._compiled_form = functools.partial(create_block_mask, _compile=True)


def _check(query, key, value, block_mask, enable_gqa):
    if query.size(-1) != key.size(-1):
        raise ValueError(
            f"Expect query and key/value to have the same embedding dimension but got E={query.size(-1)} and E={key.size(-1)}."
        )
    if query.dim() != 4 or key.dim() != 4 or value.dim() != 4:
        raise NotImplementedError("NYI: query, key, and value must be 4D tensors")
    heads, shared = query.size(-3), key.size(-3)
    if not enable_gqa and heads != shared:
        raise ValueError(
            "Expect query and key/value to have the same number of heads "
            f"but got Hq={heads} and Hkv={shared}. Try setting enable_gqa=True for GQA."
        )
    if heads % shared:
        raise ValueError(
            f"Expect number of query heads to be a multiple of kv heads for GQA but got Hq={heads} and Hkv={shared}."
        )
    if query.size(0) != key.size(0):
        if block_mask is None:
            raise ValueError(
                "Expect query and key/value to have the same batch size, or non-none block_mask, "
                f"but got block_mask=None, Bq={query.size(0)}, and Bkv={key.size(0)}."
            )
        if block_mask.kv_num_blocks.size(0) != query.size(0):
            raise ValueError(
                "Expect query and key/value to have the same batch size, or block_mask and query to have the same batch size, "
                f"but got Bq={query.size(0)}, Bkv={key.size(0)}, B_block_mask={block_mask.kv_num_blocks.size(0)}."
            )


def _check_mask(query, key, block_mask):
    if block_mask.mask_mod is sliced_mask:
        raise RuntimeError("Cannot use mask_mod from a sliced BlockMask")
    if tuple(block_mask.BLOCK_SIZE) != (_LARGE_SPARSE_BLOCK_SIZE, _LARGE_SPARSE_BLOCK_SIZE):
        lengths, masked = (query.size(-2), key.size(-2)), block_mask.shape[-2:]
        if lengths[0] > masked[0] or lengths[1] > masked[1]:
            raise RuntimeError(
                "block_mask was created for a smaller length than you're using it for, you likely need to create a new block mask."
            )
        if lengths != tuple(masked):
            raise RuntimeError(
                "block_mask was created for a larger length than you're using it for, you can either 1. create a new block mask "
                "with the correct length, or 2. 'adjust' the existing block mask to the correct length by calling "
                "block_mask._adjust(q_len, kv_len). This essentially 'crops' the block mask to the upper left corner, "
                "which does not work for all mask_mods!"
            )
    if query.device != block_mask.kv_num_blocks.device:
        raise RuntimeError(
            f"Expect q/k/v and block_mask to be on the same device but got {query.device} and {block_mask.kv_num_blocks.device}."
        )


def flex_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    score_mod: Callable | None = None,
    block_mask: BlockMask | None = None,
    scale: float | None = None,
    enable_gqa: bool = False,
    return_lse: bool = False,
    kernel_options: dict[str, Any] | None = None,
    *,
    return_aux: AuxRequest | None = None,
) -> Tensor | tuple[Tensor, Tensor] | tuple[Tensor, AuxOutput]:
    """Attention with scores changed by `score_mod` where `block_mask` lets them through."""
    by_kernel = is_compiled(sys._getframe(1))
    return _attend(
        query, key, value, score_mod, block_mask, scale, enable_gqa, return_lse, kernel_options, return_aux, by_kernel
    )


@functools.wraps(flex_attention)
def _by_kernel(
    query,
    key,
    value,
    score_mod=None,
    block_mask=None,
    scale=None,
    enable_gqa=False,
    return_lse=False,
    kernel_options=None,
    *,
    return_aux=None,
):
    return _attend(
        query, key, value, score_mod, block_mask, scale, enable_gqa, return_lse, kernel_options, return_aux, True
    )


flex_attention._compiled_form = _by_kernel


def _attend(
    query, key, value, score_mod, block_mask, scale, enable_gqa, return_lse, kernel_options, return_aux, by_kernel
):
    _check(query, key, value, block_mask, enable_gqa)
    if return_lse and return_aux is not None:
        raise ValueError(
            "Cannot specify both return_lse and return_aux. return_lse is deprecated, please use return_aux=AuxRequest(lse=True) instead."
        )
    score_mod = _identity if score_mod is None else score_mod
    block_mask = empty_mask(query, key) if block_mask is None else block_mask
    _check_mask(query, key, block_mask)
    scale = 1.0 / math.sqrt(query.size(-1)) if scale is None else scale
    wants_largest = return_aux is not None and return_aux.max_scores
    wants_sums = return_lse or (return_aux is not None and return_aux.lse)
    if torch.is_autocast_enabled(query.device.type):
        dtype = torch.get_autocast_dtype(query.device.type)
        query, key, value = query.to(dtype), key.to(dtype), value.to(dtype)
    kept, used = block_mask._lists(), captured(score_mod)
    masked_by = captured(block_mask.mask_mod)
    with torch.autocast(query.device.type, enabled=False):
        if by_kernel:
            sums_wanted = wants_sums or torch.is_grad_enabled()
            options = {**(kernel_options or {}), "OUTPUT_MAX": wants_largest, "OUTPUT_LOGSUMEXP": sums_wanted}
            out, sums, largest = ByKernel.apply(query, key, value, options, [*kept, *masked_by], *used)
        else:
            _warn_of_scores()
            call = (score_mod, block_mask.mask_mod, scale)
            inputs = (query, key, value, *used)
            examples = ()
            if torch.is_grad_enabled() and any(t.requires_grad for t in inputs):
                # the function of scores is looked at with a score and four indices, which stay until it has run
                kinds = (query.dtype, *[torch.int] * 4)
                examples = tuple(query.new_zeros((), dtype=kind) for kind in kinds)
            out, sums, largest = ByOperators.apply(query, key, value, call, [*kept, *masked_by], *used)
            del examples
    ln2 = math.log(2.0)
    sums = sums * ln2 if wants_sums else None
    largest = largest * ln2 if wants_largest else None
    if return_aux is not None:
        return out, AuxOutput(lse=sums, max_scores=largest)
    return (out, sums) if return_lse else out


_warned = []


def _warn_of_scores():
    if not _warned:
        _warned.append(True)
        warnings.warn(
            "flex_attention called without torch.compile() - this will use an unfused implementation that materializes the full "
            "scores matrix instead of generating a fused kernel.\n\nSOLUTION: Use torch.compile(flex_attention)(...)",
            stacklevel=4,
        )
