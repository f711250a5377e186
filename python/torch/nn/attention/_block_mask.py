"""Block masks of flex_attention: which blocks of queries and keys are computed, and the functions that make them, in PyTorch's order of allocations."""

from __future__ import annotations

import math
import operator
from functools import reduce
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


DEFAULT_BLOCK = 128
WHOLE_BLOCK = 1 << 30
_TENSORS = (
    "kv_num_blocks",
    "kv_indices",
    "full_kv_num_blocks",
    "full_kv_indices",
    "q_num_blocks",
    "q_indices",
    "full_q_num_blocks",
    "full_q_indices",
)


def noop_mask(batch: Tensor, head: Tensor, token_q: Tensor, token_kv: Tensor) -> Tensor:
    """The mask function that lets everything through."""
    return batch.new_ones(size=(), dtype=torch.bool, device=batch.device)


def sliced_mask(batch: Tensor, head: Tensor, token_q: Tensor, token_kv: Tensor) -> None:
    """What stands for the mask function of a part of a block mask."""
    raise RuntimeError(
        "Cannot use mask_mod from a sliced BlockMask. When you slice a BlockMask using [], the mask_mod attribute is reset. "
        "You must set it from the original BlockMask's mask_mod."
    )


def mapped(function: Callable, prefix: tuple = (), suffix: tuple = ()) -> Callable:
    """A function of one index each that takes rows of batches, heads, queries and keys."""
    for dims in ((None, None, None, 0), (None, None, 0, None), (None, 0, None, None), (0, None, None, None)):
        function = torch.vmap(function, in_dims=prefix + dims + suffix, out_dims=0)
    return function


def _to_dense(num_blocks, indices, columns):
    """Zeros and ones for the listed blocks; PyTorch writes them under vmap over batch and head, where indices of several levels are made whole."""
    batch, heads, rows, entries = whole = indices.shape
    dense = indices.new_zeros(batch, heads, rows, columns + 1, dtype=torch.int32)
    row = torch.arange(rows, dtype=torch.int, device=indices.device).unsqueeze(-1)
    column = torch.arange(entries, dtype=torch.int, device=indices.device)
    listed = column < num_blocks.unsqueeze(-1)
    valid = torch.where(listed, indices, columns)
    one = dense.new_ones(())
    at_batch = torch.arange(batch, device=indices.device).view(batch, 1, 1, 1)
    at_head = torch.arange(heads, device=indices.device).view(1, heads, 1, 1)
    dense[at_batch.expand(whole).clone(), at_head.expand(whole).clone(), row, valid] = one
    return dense[..., :columns].contiguous()


def _to_ordered(dense):
    """How many blocks each row has, and which, those that it has first."""
    dense = dense.to(dtype=torch.int32)
    count = dense.sum(dim=-1)
    columns = torch.argsort(dense, dim=-1, descending=True, stable=True)
    return count.to(torch.int32).contiguous(), columns.to(torch.int32).contiguous()


def _transposed(num_blocks, indices, columns):
    return _to_ordered(_to_dense(num_blocks, indices, columns).transpose(-2, -1))


def _cropped(num_blocks, indices, rows, columns):
    indices = indices[:, :, :rows, :columns]
    num_blocks = num_blocks[:, :, :rows]
    entries = torch.arange(indices.shape[-1], dtype=num_blocks.dtype, device=indices.device)
    listed = entries < num_blocks[..., None]
    return torch.sum(listed & (indices < columns), dim=-1).to(torch.int32), indices


class BlockMask:
    """Which blocks of keys each block of queries looks at: partly (mask_mod decides) or in full, and the same the other way round for backward."""

    def __init__(
        self,
        seq_lengths: tuple[int, int],
        kv_num_blocks: Tensor,
        kv_indices: Tensor,
        full_kv_num_blocks: Tensor | None = None,
        full_kv_indices: Tensor | None = None,
        q_num_blocks: Tensor | None = None,
        q_indices: Tensor | None = None,
        full_q_num_blocks: Tensor | None = None,
        full_q_indices: Tensor | None = None,
        BLOCK_SIZE: tuple[int, int] = (DEFAULT_BLOCK, DEFAULT_BLOCK),
        mask_mod: Callable = noop_mask,
        **_: Any,
    ) -> None:
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        if (full_kv_num_blocks is None) != (full_kv_indices is None):
            raise AssertionError("full_kv_num_blocks and full_kv_indices must be both provided or omitted")
        if (full_q_num_blocks is None) != (full_q_indices is None):
            raise AssertionError("full_q_num_blocks and full_q_indices must be both provided or omitted")
        self.seq_lengths = seq_lengths
        self.kv_num_blocks = kv_num_blocks
        self.kv_indices = kv_indices
        self.full_kv_num_blocks = full_kv_num_blocks
        self.full_kv_indices = full_kv_indices
        self.q_num_blocks = q_num_blocks
        self.q_indices = q_indices
        self.full_q_num_blocks = full_q_num_blocks
        self.full_q_indices = full_q_indices
        self.BLOCK_SIZE = BLOCK_SIZE
        self.mask_mod = mask_mod

    @classmethod
    def from_kv_blocks(
        cls,
        kv_num_blocks: Tensor,
        kv_indices: Tensor,
        full_kv_num_blocks: Tensor | None = None,
        full_kv_indices: Tensor | None = None,
        BLOCK_SIZE: int | tuple[int, int] = DEFAULT_BLOCK,
        mask_mod: Callable | None = None,
        seq_lengths: tuple[int, int] | None = None,
        compute_q_blocks: bool = True,
        **_: Any,
    ) -> BlockMask:
        """The mask of these blocks; the lists by key are made from those by query."""
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        if (full_kv_num_blocks is None) != (full_kv_indices is None):
            raise AssertionError("full_kv_num_blocks and full_kv_indices must be both provided or omitted")
        size = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
        if seq_lengths is None:
            seq_lengths = (kv_indices.shape[-2] * size[0], kv_indices.shape[-1] * size[1])
        columns = -(-seq_lengths[1] // size[1])
        by_key = full_by_key = (None, None)
        if compute_q_blocks:
            by_key = _transposed(kv_num_blocks, kv_indices, columns)
            if full_kv_num_blocks is not None:
                full_by_key = _transposed(full_kv_num_blocks, full_kv_indices, columns)
        blocks = (kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices, *by_key, *full_by_key)
        return cls(seq_lengths, *blocks, size, noop_mask if mask_mod is None else mask_mod)

    def as_tuple(self, flatten: bool = True) -> tuple:
        """The lengths, the lists, the sizes of blocks and the function."""
        lengths, sizes = (self.seq_lengths, self.BLOCK_SIZE) if flatten else ((self.seq_lengths,), (self.BLOCK_SIZE,))
        return (*lengths, *self._lists(), *sizes, self.mask_mod)

    def _lists(self):
        return tuple(getattr(self, name) for name in _TENSORS)

    @property
    def shape(self) -> tuple[int, ...]:
        return (*self.kv_indices.shape[:-2], *self.seq_lengths)

    def numel(self) -> int:
        """Elements of the mask as if it were written out."""
        return reduce(operator.mul, self.shape, 1)

    def __getitem__(self, index: Any) -> BlockMask:
        index = index if isinstance(index, tuple) else (index,)
        if len(index) > 3:
            raise IndexError("BlockMask indexing supports batch, head, and Q-block dimensions")
        whole = (*index, slice(None), slice(None), slice(None))[:3]
        counts = self.kv_num_blocks.shape[:3]
        at = tuple(
            (slice(i + n, i + n + 1) if -n <= i < 0 else slice(i, i + 1)) if isinstance(i, int) else i
            for i, n in zip(whole, counts)
        )
        parts = [None if x is None else x[at] for x in self._lists()[:4]]
        queries = parts[1].shape[-2] * self.BLOCK_SIZE[0]
        if isinstance(at[2], slice):
            chosen = range(counts[-1])[at[2]]
            last = counts[-1] - 1 in chosen
            queries -= (-self.seq_lengths[0] % self.BLOCK_SIZE[0]) if last else 0
        return BlockMask.from_kv_blocks(
            *parts,
            BLOCK_SIZE=self.BLOCK_SIZE,
            mask_mod=sliced_mask,
            seq_lengths=(queries, self.seq_lengths[1]),
            compute_q_blocks=self.q_indices is not None,
        )

    def _adjust(self, new_q_len: int, new_kv_len: int) -> BlockMask:
        rows, columns = -(-new_q_len // self.BLOCK_SIZE[0]), -(-new_kv_len // self.BLOCK_SIZE[1])
        partial = _cropped(self.kv_num_blocks, self.kv_indices, rows, columns)
        full = (None, None)
        if self.full_kv_num_blocks is not None:
            full = _cropped(self.full_kv_num_blocks, self.full_kv_indices, rows, columns)
        return BlockMask.from_kv_blocks(
            *partial,
            *full,
            BLOCK_SIZE=self.BLOCK_SIZE,
            mask_mod=self.mask_mod,
            seq_lengths=(new_q_len, new_kv_len),
            compute_q_blocks=self.q_indices is not None,
        )

    def sparsity(self) -> float:
        """The share of blocks that are left out, in percent."""
        total = math.prod(self.kv_num_blocks.shape[:-1])
        for length, size in zip(self.seq_lengths, self.BLOCK_SIZE):
            total *= -(-length // size)
        computed = self.kv_num_blocks.sum()
        if self.full_kv_num_blocks is not None:
            computed += self.full_kv_num_blocks.sum()
        return 100 * (1 - computed.item() / total)

    def to_dense(self) -> Tensor:
        """Ones where a block is computed."""
        partial = _to_dense(self.kv_num_blocks, self.kv_indices, self.kv_indices.shape[-1])
        if self.full_kv_num_blocks is None:
            return partial
        return partial | _to_dense(self.full_kv_num_blocks, self.full_kv_indices, self.full_kv_indices.shape[-1])

    def to_string(self, grid_size: int | tuple[int, int] = (20, 20), limit: int = 4) -> str:
        return f"(which blocks are computed is not known here: {self.shape})"

    def to(self, device: torch.device | str) -> BlockMask:
        """The same mask with its lists on another device."""
        moved = (None if x is None else x.to(device) for x in self._lists())
        return BlockMask(self.seq_lengths, *moved, self.BLOCK_SIZE, self.mask_mod)

    def __str__(self) -> str:
        return f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%, \n{self.to_string()}\n)"

    def __repr__(self) -> str:
        lists = "".join(f"    {n}={None if x is None else x.shape},\n" for n, x in zip(_TENSORS, self._lists()))
        name = getattr(self.mask_mod, "__name__", self.mask_mod)
        return (
            f"BlockMask(\n{lists}    BLOCK_SIZE={self.BLOCK_SIZE},\n    shape={self.shape},\n"
            f"    sparsity={self.sparsity():.2f}%,\n    mask_mod={name}\n)"
        )


def block_sums(mask: Tensor, q_block: int, kv_block: int) -> Tensor:
    """How many elements of each block a written-out mask lets through."""
    while mask.dim() < 4:
        mask = mask.unsqueeze(0)
    mask = torch.nn.functional.pad(mask, (0, -mask.shape[-1] % kv_block, 0, -mask.shape[-2] % q_block))
    batch, heads, queries, keys = mask.shape
    mask = mask.view(batch, heads, queries // q_block, q_block, keys // kv_block, kv_block)
    mask = mask.permute(0, 1, 2, 4, 3, 5)
    return mask.sum(dim=[-2, -1])


def partial_and_full(sums: Tensor, whole: int, separate: bool) -> tuple[Tensor, Tensor | None]:
    """Which blocks need the mask function, and which are let through whole."""
    if not separate:
        partial = sums > 0
        return partial.to(dtype=torch.int8), None
    full = sums == whole
    partial = (sums > 0) & (sums < whole)
    partial = partial.to(dtype=torch.int8)
    full = full.to(dtype=torch.int8)
    return partial, full


def from_blocks(
    blocks: tuple[Tensor, Tensor | None], mask_mod: Callable, lengths: tuple[int, int], q_block: int, kv_block: int
) -> BlockMask:
    """The block mask of two grids of blocks."""
    partial, full = blocks
    by_query = _to_ordered(partial)
    full_by_query = (None, None) if full is None else _to_ordered(full)
    return BlockMask.from_kv_blocks(
        *by_query, *full_by_query, BLOCK_SIZE=(q_block, kv_block), mask_mod=mask_mod, seq_lengths=lengths
    )


def empty_mask(query: Tensor, key: Tensor) -> BlockMask:
    """What stands for no mask: one block, larger than every length."""
    return BlockMask.from_kv_blocks(
        kv_num_blocks=torch.ones([1, 1, 1], dtype=torch.int32, device=query.device),
        kv_indices=torch.zeros([1, 1, 1, 1], dtype=torch.int32, device=query.device),
        BLOCK_SIZE=WHOLE_BLOCK,
        seq_lengths=(1, 1),
    )
