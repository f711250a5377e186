"""Attention over a sequence that ranks share: keys and values go round (torch/distributed/tensor/experimental/_context_parallel/_attention.py)."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import _ranked

from ... import _functional_collectives as funcol

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


SEQUENCE = 2  # the dimension of q, k and v that is shared


class _RotateMethod(Enum):
    ALL_TO_ALL = auto()
    ALL_GATHER = auto()


class _Options:
    """As a program sets them."""

    convert_to_f32, enable_load_balance = True, True
    rotate_method = _RotateMethod.ALL_GATHER


_cp_options = _Options()
SKIPPED = object()


def _causality(rank, size, i, is_causal):
    """Whether round i masks; a rank without load balance skips what lies behind it."""
    if not is_causal or i == 0:
        return is_causal
    if (rank - i) % size < rank or _cp_options.enable_load_balance:
        return False
    return SKIPPED


def _waited(tensor):
    return tensor.wait() if isinstance(tensor, funcol.AsyncCollectiveTensor) else tensor


class _ByAllToAll:
    """Hands a buffer to the next rank, one step at a time."""

    def __init__(self, group: torch.distributed.ProcessGroup) -> None:
        self.group, self.buffer = group, None

    def exchange(self, buffer: Any) -> None:
        following = [*range(1, self.group.size()), 0]
        self.buffer = funcol.permute_tensor(buffer.contiguous(), following, self.group)

    def take(self) -> Any:
        return _waited(self.buffer)


class _ByAllGather:
    """Gathers everybody's buffer at the first step."""

    def __init__(self, group: torch.distributed.ProcessGroup) -> None:
        self.group, self.gathered, self.step = group, None, 0

    def exchange(self, buffer: Any) -> None:
        self.step += 1
        if self.gathered is None:
            self.gathered = funcol.all_gather_single(buffer.contiguous(), gather_dim=0, group=self.group)

    def take(self) -> Any:
        self.gathered = _waited(self.gathered)
        chunks = self.gathered.chunk(self.group.size())
        return _ranked.choose(chunks, self.group.rank() - self.step, lambda chunk: chunk.shape)


def _rotater(group, method=None):
    method = method or _cp_options.rotate_method
    return (_ByAllToAll if method == _RotateMethod.ALL_TO_ALL else _ByAllGather)(group)


def _with_part(whole, new, idx, add):
    """The tensor with one of its two halves replaced or added to."""
    halves = list(whole.chunk(2, dim=SEQUENCE))
    if add:
        halves[idx] += new
    else:
        halves[idx] = new
    return torch.cat(halves, dim=SEQUENCE)


class _Merger:
    """Outputs of several rounds as one, weighted by their log-sum-exp."""

    def __init__(self) -> None:
        self.out = self.lse = None
        self.squeezes = False

    def add(self, out: Tensor, lse: Tensor, partial: Any) -> None:
        self.out_dtype, self.lse_dtype = out.dtype, lse.dtype
        if _cp_options.convert_to_f32:
            out = out.to(torch.float32)
            lse = lse.to(torch.float32)
        self._merge(out, lse, partial)

    def _merge(self, block_out, block_lse, partial):
        if block_lse.dim() < block_out.dim():
            block_lse = block_lse.unsqueeze(dim=-1)
            self.squeezes = True
        if self.lse is None:
            self.lse, self.out = block_lse, block_out
            return
        lse = self.lse.chunk(2, dim=SEQUENCE)[1] if partial else self.lse
        out = self.out.chunk(2, dim=SEQUENCE)[1] if partial else self.out
        out = out - F.sigmoid(block_lse - lse) * (out - block_out)
        lse = lse - F.logsigmoid(lse - block_lse)
        if partial:
            self.lse = _with_part(self.lse, lse, 1, False)
            self.out = _with_part(self.out, out, 1, False)
        else:
            self.lse, self.out = lse, out

    def result(self) -> tuple:
        out = self.out.to(self.out_dtype)
        lse = self.lse.squeeze(-1) if self.squeezes else self.lse
        return out, lse.to(self.lse_dtype)


def forward(
    group: torch.distributed.ProcessGroup, op: Any, query: Tensor, key: Any, value: Any, is_causal: bool
) -> tuple:
    """Output, log-sum-exp and what else the first round gave; `op` takes (q, k, v, is_causal)."""
    balanced = _cp_options.enable_load_balance
    _check(is_causal, balanced)
    if is_causal and query.size(2) != key.size(2):
        raise NotImplementedError("is_causal requires the same query and context sequence lengths")
    rank, size = group.rank(), group.size()
    next_kv = saved_rest = None
    key, value = key.contiguous(), value.contiguous()
    merger, rotater = _Merger(), _rotater(group)
    for i in range(size):
        if i > 0:
            next_kv = rotater.take()
            key = next_kv[: key.numel()].reshape(key.shape)
            value = next_kv[key.numel() :].reshape(value.shape)
        if i < size - 1:
            next_kv = torch.cat([key.flatten(), value.flatten()])
            next_kv = rotater.exchange(next_kv)
        masked = _causality(rank, size, i, is_causal)
        if masked is SKIPPED:
            continue
        partial = False
        if i == 0 or not balanced or not is_causal:
            q, k, v = query, key, value
        elif i <= rank:
            q, k, v = query, key.chunk(2, dim=2)[0], value.chunk(2, dim=2)[0]
        else:
            q, k, v, partial = query.chunk(2, dim=2)[1], key, value, True
        out, lse, *rest = op(q, k, v, masked)
        if saved_rest is None:
            saved_rest = rest
        merger.add(out, lse, partial)
    return *merger.result(), *saved_rest


def _check(is_causal, balanced):
    if not is_causal and balanced:
        raise RuntimeError("Load balancing requires `is_causal=True`.")


def backward(
    group: torch.distributed.ProcessGroup,
    op: Any,
    grad_out: Any,
    query: Tensor,
    key: Any,
    value: Any,
    out: Tensor,
    lse: Tensor,
    is_causal: bool,
) -> tuple:
    """Gradients of q, k and v and what else the last round gave; `op` takes (dout, q, k, v, out, lse, is_causal)."""
    balanced = _cp_options.enable_load_balance
    _check(is_causal, balanced)
    rank, size = group.rank(), group.size()
    dtype = torch.float32 if _cp_options.convert_to_f32 else query.dtype
    grad_query = torch.zeros_like(query, dtype=dtype)
    grad_key = torch.zeros_like(key, dtype=dtype)
    grad_value = torch.zeros_like(value, dtype=dtype)
    key, value = key.contiguous(), value.contiguous()
    rotater, grad_rotater = _rotater(group), _rotater(group, _RotateMethod.ALL_TO_ALL)
    rest = ()
    for i in range(size):
        if i > 0:
            buffer = rotater.take()
            key = buffer[: key.numel()].reshape(key.shape)
            value = buffer[key.numel() : key.numel() + value.numel()].reshape(value.shape)
        if i != size - 1:
            next_kv = torch.cat([key.flatten(), value.flatten()])
            rotater.exchange(next_kv)
        masked = _causality(rank, size, i, is_causal)
        if masked is SKIPPED:
            own_query = torch.zeros_like(query, dtype=dtype)
            own_key = torch.zeros_like(key, dtype=dtype)
            own_value = torch.zeros_like(value, dtype=dtype)
        else:
            if i == 0 or not balanced or not is_causal:
                q, k, v, o, dout, sums = query, key, value, out, grad_out, lse
            elif i <= rank:
                q, k, v, o, dout, sums = (
                    query,
                    key.chunk(2, dim=SEQUENCE)[0],
                    value.chunk(2, dim=SEQUENCE)[0],
                    out,
                    grad_out,
                    lse,
                )
            else:
                # all at once: those of the round before live until the last of these is there
                q, k, v, o, dout, sums = (
                    query.chunk(2, dim=SEQUENCE)[1],
                    key,
                    value,
                    out.chunk(2, dim=SEQUENCE)[1],
                    grad_out.chunk(2, dim=SEQUENCE)[1],
                    lse.chunk(2, dim=SEQUENCE)[1].contiguous(),
                )
            own_query, own_key, own_value, *rest = op(dout, q, k, v, o, sums, masked)
        if i == 0:
            grad_key += own_key
            grad_value += own_value
        else:
            next_grads = grad_rotater.take()
            grad_key = next_grads[: grad_key.numel()].reshape(grad_key.shape)
            grad_value = next_grads[grad_key.numel() : grad_key.numel() + grad_value.numel()].reshape(grad_value.shape)
            if i <= rank and balanced:
                grad_key = _with_part(grad_key, own_key, 0, True)
                grad_value = _with_part(grad_value, own_value, 0, True)
            else:
                grad_key += own_key
                grad_value += own_value
        next_grads = torch.cat([grad_key.flatten(), grad_value.flatten()])
        grad_rotater.exchange(next_grads)
        if i <= rank or not balanced:
            grad_query += own_query
        else:
            grad_query = _with_part(grad_query, own_query, 1, True)
    grad_query = grad_query.to(query.dtype)
    next_grads = grad_rotater.take().to(key.dtype)
    grad_key = next_grads[: grad_key.numel()].reshape(grad_key.shape)
    grad_value = next_grads[grad_key.numel() :].reshape(grad_value.shape)
    return grad_query, grad_key, grad_value, *rest
