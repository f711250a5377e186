"""PowerSGD: gradients of a bucket as products of two narrow matrices, which are averaged instead (PowerSGDState, powerSGD_hook)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from ... import all_reduce
from ... import _world
from .default_hooks import _averaged

if TYPE_CHECKING:
    from typing import Any

    from torch.futures import Future
    from torch.nn.parallel._reducer import GradBucket


def _orthogonalize(matrices, epsilon=0):
    if matrices.ndim != 3 or matrices.shape[2] > matrices.shape[1]:
        raise AssertionError
    rank, dtype = matrices.shape[2], matrices.dtype
    if rank <= 2 or dtype in (torch.float16, torch.bfloat16):
        _orthogonalize_gram_schmidt(matrices, epsilon)
        return
    rest = torch.empty(matrices.shape[0], rank, rank, device=matrices.device, dtype=dtype)
    torch.linalg.qr(matrices, out=(matrices, rest))


def _orthogonalize_gram_schmidt(matrices, epsilon=0):
    count = matrices.shape[2]
    for i in range(count):
        column = matrices[:, :, i : i + 1]
        length = torch.linalg.vector_norm(column, dim=1, keepdim=True)
        if epsilon:
            length = length + epsilon
        column /= length
        del length
        if i + 1 < count:
            others = matrices[:, :, i + 1 :]
            others -= torch.sum(column * others, dim=1, keepdim=True) * column


class PowerSGDState:
    """What stays between iterations: errors, and both matrices of each bucket."""

    def __init__(
        self,
        process_group: torch.distributed.ProcessGroup,
        matrix_approximation_rank: int = 1,
        start_powerSGD_iter: int = 1_000,
        min_compression_rate: int = 2,
        use_error_feedback: bool = True,
        warm_start: bool = True,
        orthogonalization_epsilon: int = 0,
        random_seed: int = 0,
        compression_stats_logging_frequency: int = 10_000,
        batch_tensors_with_same_shape: bool = False,
    ) -> None:
        if (use_error_feedback or warm_start) and start_powerSGD_iter <= 1:
            raise ValueError(
                "Expect `start_powerSGD_iter` > 1 if `use_error_feedback` or `warm_start` is enabled, because PowerSGD can only be applied after the first two iterations in DDP."
            )
        self.process_group, self.matrix_approximation_rank = process_group, matrix_approximation_rank
        self.start_powerSGD_iter, self.min_compression_rate = start_powerSGD_iter, min_compression_rate
        self.use_error_feedback, self.warm_start = use_error_feedback, warm_start
        self.orthogonalization_epsilon = orthogonalization_epsilon
        self.batch_tensors_with_same_shape = batch_tensors_with_same_shape
        self.compression_stats_logging_frequency = max(1, compression_stats_logging_frequency)
        self.error_dict, self.p_memory_dict, self.q_memory_dict = {}, {}, {}
        self.iter = 0
        self.total_numel_before_compression = self.total_numel_after_compression = 0

    def maybe_increase_iter(self, bucket: Any) -> None:
        if bucket.is_last():
            self.iter += 1

    def compression_stats(self) -> tuple:
        before, after = self.total_numel_before_compression, self.total_numel_after_compression
        return (before / after if after else 0), before, after


def _group(state):
    return state.process_group if state.process_group is not None else _world._require()


def _waited(tensor, group):
    return all_reduce(tensor, group=group, async_op=True).get_future().wait()[0]


def _copy_with_error(state, index, tensor, length):
    """The error of the last iteration is added; a copy tells this one's afterwards."""
    if not state.use_error_feedback:
        return None
    if index in state.error_dict:
        tensor.add_(state.error_dict[index])
    else:
        state.error_dict[index] = torch.zeros(length, device=tensor.device, dtype=tensor.dtype)
    return tensor.detach().clone()


def _by_shape(state, matrices):
    """Matrices of one shape together, and what is multiplied: each by itself, or all of a shape as a batch."""
    shapes = {}
    for matrix in matrices:
        shapes.setdefault(matrix.shape, []).append(matrix)
    batches = []
    for alike in shapes.values():
        if state.batch_tensors_with_same_shape and len(alike) > 1:
            batches.append(torch.stack(alike))
        else:
            batches += [matrix.unsqueeze(0) for matrix in alike]
    return shapes, batches


def _narrow(state, memory, batches, side):
    """Views of the memory of a bucket, one for each matrix."""
    views, start = [], 0
    for matrix in batches:
        count, n, m = matrix.shape
        rank = min(n, m, state.matrix_approximation_rank)
        rows = (n, m)[side]
        views.append(memory[start : start + count * rows * rank].view(count, rows, rank))
        start += count * rows * rank
    return views


def powerSGD_hook(state: PowerSGDState, bucket: GradBucket) -> Future:
    group = _group(state)
    world_size = group.size()
    buffer = bucket.buffer()
    if state.iter < state.start_powerSGD_iter:
        state.maybe_increase_iter(bucket)
        return _averaged(group, buffer).then(lambda future: future.value()[0])
    device, dtype, index = buffer.device, buffer.dtype, bucket.index()
    copy = _copy_with_error(state, index, buffer, buffer.shape[0])
    chosen, plain, sizes = [], [], [0, 0]
    for tensor in bucket.gradients():
        matrix = tensor.view(tensor.shape[0], -1)
        n, m = matrix.shape
        rank = min(n, m, state.matrix_approximation_rank)
        small, whole = (n + m) * rank, n * m
        worth = small * state.min_compression_rate < whole
        state.total_numel_before_compression += whole
        state.total_numel_after_compression += small if worth else whole
        if worth:
            chosen.append(matrix)
            sizes = [sizes[0] + n * rank, sizes[1] + m * rank]
        else:
            plain.append(tensor)
    together = (
        torch.cat([tensor.view(-1) for tensor in plain]) if plain else torch.tensor([], device=device, dtype=dtype)
    )
    fresh = not state.warm_start or index not in state.p_memory_dict
    if fresh:
        state.p_memory_dict[index] = torch.empty(sizes[0], device=device, dtype=dtype)
        state.q_memory_dict[index] = torch.empty(sizes[1], device=device, dtype=dtype)
    shapes, batches = _by_shape(state, chosen)
    ps = _narrow(state, state.p_memory_dict[index], batches, 0)
    qs = _narrow(state, state.q_memory_dict[index], batches, 1)
    for q in qs:
        if fresh:
            q.copy_(torch.randn(*q.shape, device="cpu", dtype=dtype))
        _orthogonalize(q, state.orthogonalization_epsilon)
    for matrix, q, p in zip(batches, qs, ps):
        torch.bmm(matrix, q, out=p)
    plain_future = all_reduce(together, group=group, async_op=True).get_future()
    del together, matrix, tensor

    def unpack(future):
        flat = future.value()[0].div_(world_size)
        start = 0
        for tensor in plain:
            tensor.copy_(flat[start : start + tensor.numel()].view_as(tensor))
            start += tensor.numel()
        return _waited(state.p_memory_dict[index], group)

    def compute_qs(future):
        state.p_memory_dict[index] = future.value()
        for p in ps:
            _orthogonalize(p, state.orthogonalization_epsilon)
        for matrix, p, q in zip(batches, ps, qs):
            torch.bmm(matrix.transpose(1, 2), p, out=q)
        return _waited(state.q_memory_dict[index], group)

    def decompress(future):
        state.q_memory_dict[index] = future.value().div_(world_size)
        for p, q, matrix in zip(ps, qs, batches):
            torch.bmm(p, q.transpose(1, 2), out=matrix)
        if state.batch_tensors_with_same_shape:
            for matrix in batches:
                if matrix.shape[0] > 1:
                    for i, original in enumerate(shapes[matrix.shape[1:]]):
                        original.copy_(matrix[i])
        _remember(state, index, copy, buffer)
        state.maybe_increase_iter(bucket)
        return buffer

    return plain_future.then(unpack).then(compute_qs).then(decompress)


def _remember(state, index, copy, buffer):
    if state.use_error_feedback:
        state.error_dict[index] = copy - buffer
    if not state.warm_start:
        state.p_memory_dict.clear()
        state.q_memory_dict.clear()


def batched_powerSGD_hook(state: PowerSGDState, bucket: GradBucket) -> Future:
    group = _group(state)
    world_size = group.size()
    buffer = bucket.buffer()
    if state.iter < state.start_powerSGD_iter:
        state.maybe_increase_iter(bucket)
        return _averaged(group, buffer).then(lambda future: future.value()[0])
    device, dtype, index, length = buffer.device, buffer.dtype, bucket.index(), buffer.shape[0]
    side, rank = math.ceil(math.sqrt(length)), state.matrix_approximation_rank
    state.total_numel_before_compression += length
    state.total_numel_after_compression += side * rank * 2
    buffer.resize_(side**2)
    buffer[length : side**2].fill_(0)
    copy = _copy_with_error(state, index, buffer, side**2)
    matrix = buffer.view(side, side)
    if not state.warm_start or index not in state.p_memory_dict:
        state.p_memory_dict[index] = torch.empty(side, rank, device=device, dtype=dtype)
        state.q_memory_dict[index] = torch.randn(side, rank, device="cpu", dtype=dtype).to(device)
    _orthogonalize(state.q_memory_dict[index])
    torch.matmul(matrix, state.q_memory_dict[index], out=state.p_memory_dict[index])
    first = all_reduce(state.p_memory_dict[index], group=group, async_op=True).get_future()

    def compute_q(future):
        state.p_memory_dict[index] = future.value()[0]
        _orthogonalize(state.p_memory_dict[index])
        torch.matmul(matrix.t(), state.p_memory_dict[index], out=state.q_memory_dict[index])
        return _waited(state.q_memory_dict[index], group)

    def decompress(future):
        state.q_memory_dict[index] = future.value().div_(world_size)
        torch.matmul(state.p_memory_dict[index], state.q_memory_dict[index].t(), out=matrix)
        _remember(state, index, copy, buffer)
        result = buffer.resize_(length)
        state.maybe_increase_iter(bucket)
        return result

    return first.then(compute_q).then(decompress)
