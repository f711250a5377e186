"""Masks that a kernel works out itself. Those with sequences one after the other hold where each begins, as int32 on the GPU."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any, NoReturn, Self

    from torch import Tensor


__getattr__ = lacks("xformers.ops.fmha.attn_bias")


class AttentionBias:
    """A mask that is not a tensor."""

    causal = False
    windowed = False

    def to(self, device: torch.device | str | int | None) -> Self:
        return self

    def _visible(self, queries, keys):
        return torch.ones(queries, keys, dtype=torch.bool)

    def materialize(self, shape: Any, dtype: torch.dtype = torch.float32, device: str = "cpu") -> Any:
        """The mask as a tensor: 0 where a query sees a key, minus infinity elsewhere."""
        seen = self._visible(shape[-2], shape[-1]).to(device)
        return torch.zeros(shape[-2:], dtype=dtype, device=device).masked_fill(~seen, -math.inf).expand(shape)


class LowerTriangularMask(AttentionBias):
    """Every query sees the keys up to its own place, counted from the first."""

    causal = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def _visible(self, queries, keys):
        return torch.ones(queries, keys, dtype=torch.bool).tril()

    def add_bias(self, bias: Tensor) -> LowerTriangularMaskWithTensorBias:
        return LowerTriangularMaskWithTensorBias(bias)

    def make_local_attention(self, window_size: Any) -> LowerTriangularFromBottomRightLocalAttentionMask:
        return LowerTriangularFromBottomRightLocalAttentionMask(window_size)


class LowerTriangularFromBottomRightMask(LowerTriangularMask):
    """The same, counted from the last."""


class LowerTriangularFromBottomRightLocalAttentionMask(LowerTriangularFromBottomRightMask):
    windowed = True

    def __init__(self, _window_size: Any) -> None:
        if _window_size <= 0:
            raise ValueError(f"Expected `window_size > 0`, but window_size={_window_size}")
        self._window_size = _window_size


class LocalAttentionFromBottomRightMask(AttentionBias):
    windowed = True

    def __init__(self, window_left: Any, window_right: Any) -> None:
        self.window_left, self.window_right = window_left, window_right


class LowerTriangularMaskWithTensorBias(LowerTriangularMask):
    """Causal, plus a tensor [batch, heads, queries, keys]."""

    def __init__(self, bias: Tensor) -> None:
        self.tensor = bias


class SequenceInfo:
    """Where sequences begin: `seqstart` int32 [sequences + 1] on the device, and the same as a list."""

    def __init__(self, seqstart: Any, lengths: Tensor) -> None:
        self.seqstart, self.lengths = seqstart, list(lengths)
        self.max_seqlen, self.min_seqlen = max(self.lengths, default=-1), min(self.lengths, default=-1)
        self.seqstart_py = [0]
        for length in self.lengths:
            self.seqstart_py.append(self.seqstart_py[-1] + length)

    @classmethod
    def from_seqlens(cls, lengths: Tensor, device: torch.device | str | int | None = None) -> Self:
        lengths = [int(length) for length in lengths]
        starts = [0]
        for length in lengths:
            starts.append(starts[-1] + length)
        if device is None:
            device = "cuda" if torch.cuda.is_available() else "cpu"
        return cls(torch.tensor(starts, dtype=torch.int32, device=device), lengths)

    def to(self, device: torch.device | str | int | None) -> Any:
        return type(self)(self.seqstart.to(device), self.lengths)


class BlockDiagonalMask(AttentionBias):
    """Sequences one after the other in a batch of one; a query sees its own sequence."""

    def __init__(self, q_seqinfo: Any, k_seqinfo: Any, batch_sizes: Any = None) -> None:
        self.q_seqinfo, self.k_seqinfo, self._batch_sizes = q_seqinfo, k_seqinfo, batch_sizes

    @classmethod
    def from_seqlens(
        cls, q_seqlen: Any, kv_seqlen: Any = None, *, device: torch.device | str | int | None = None
    ) -> Self:
        queries = SequenceInfo.from_seqlens(q_seqlen, device)
        same = kv_seqlen is None or list(kv_seqlen) == list(q_seqlen)
        return cls(queries, queries if same else SequenceInfo.from_seqlens(kv_seqlen, device))

    @classmethod
    def from_tensor_list(cls, tensors: Any) -> tuple:
        """(mask, one tensor [1, total, ...]) of tensors [batch, length, ...]."""
        batches = [t.shape[0] for t in tensors]
        lengths = [t.shape[1] for t in tensors for _ in range(t.shape[0])]
        mask = cls.from_seqlens(lengths, device=tensors[0].device)
        mask._batch_sizes = batches
        return mask, torch.cat([t.reshape(1, -1, *t.shape[2:]) for t in tensors], dim=1)

    def split(self, tensor: Tensor) -> Any:
        """What from_tensor_list put together."""
        lengths = self.q_seqinfo.lengths
        if self._batch_sizes is None:
            return list(tensor.split(lengths, dim=1))
        parts, at, first = [], 0, 0
        for batch in self._batch_sizes:
            length = lengths[first] if batch else 0
            parts.append(tensor[:, at : at + batch * length].reshape(batch, length, *tensor.shape[2:]))
            at, first = at + batch * length, first + batch
        return parts

    split_queries = split_kv = split

    def to(self, device: torch.device | str | int | None) -> Any:
        queries = self.q_seqinfo.to(device)
        keys = queries if self.k_seqinfo is self.q_seqinfo else self.k_seqinfo.to(device)
        return type(self)(queries, keys, self._batch_sizes)

    def make_causal(self) -> BlockDiagonalCausalMask:
        return BlockDiagonalCausalMask(self.q_seqinfo, self.k_seqinfo, self._batch_sizes)

    def make_causal_from_bottomright(self) -> BlockDiagonalCausalFromBottomRightMask:
        return BlockDiagonalCausalFromBottomRightMask(self.q_seqinfo, self.k_seqinfo, self._batch_sizes)

    def make_local_attention(self, window_size: Any) -> BlockDiagonalCausalLocalAttentionMask:
        return BlockDiagonalCausalLocalAttentionMask(self.q_seqinfo, self.k_seqinfo, self._batch_sizes)

    def make_local_attention_from_bottomright(
        self, window_size: Any
    ) -> BlockDiagonalCausalLocalAttentionFromBottomRightMask:
        return BlockDiagonalCausalLocalAttentionFromBottomRightMask(self.q_seqinfo, self.k_seqinfo, self._batch_sizes)

    def materialize(self, shape: Any, dtype: torch.dtype = torch.float32, device: str = "cpu") -> NoReturn:
        raise NotImplementedError("vramscope's stand-in for xformers does not materialize masks of several sequences")


class BlockDiagonalCausalMask(BlockDiagonalMask):
    causal = True


class BlockDiagonalCausalFromBottomRightMask(BlockDiagonalMask):
    causal = True


class BlockDiagonalCausalLocalAttentionMask(BlockDiagonalCausalMask):
    windowed = True


class BlockDiagonalCausalLocalAttentionFromBottomRightMask(BlockDiagonalCausalMask):
    windowed = True
