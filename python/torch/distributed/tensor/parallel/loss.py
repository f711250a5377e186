"""loss_parallel: cross entropy over logits whose classes are on different ranks.

The parts are computed as in tensor/parallel/loss.py of PyTorch: log-softmax with two small all-reduces, the picked logits summed
over ranks, and in backward a tensor of zeros beside the exponentials.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import torch
from torch import _ranked

from .. import _rules
from .._dtensor import DTensor
from .._redistribute import DTensorSpec
from .._spec import TensorMeta
from ..placement_types import Partial, Replicate, Shard, _zeroed
from ... import _functional_collectives as funcol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor


@contextlib.contextmanager
def loss_parallel() -> Iterator:
    """Inside, cross entropy works on sharded classes, forward and backward."""
    _rules.CUSTOM.update(_HANDLERS)
    try:
        yield
    finally:
        for name in _HANDLERS:
            _rules.CUSTOM.pop(name, None)


def _axis(spec, dim):
    found = [i for i, p in enumerate(spec.placements) if isinstance(p, Shard) and p.dim == dim]
    if len(found) != 1:
        raise ValueError(
            f"loss_parallel() requires exactly one mesh dim to shard tensor dimension {dim}, but got placements {spec.placements}"
        )
    return found[0]


def _distributed(tensor, placements, mesh):
    if isinstance(tensor, DTensor):
        if tensor.placements != placements:
            raise RuntimeError(f"Expected {placements} but got {tensor.placements}.")
        return tensor
    return DTensor.from_local(tensor, mesh, placements, run_check=False)


def _without(placements, dim):
    """Placements of a tensor that lacks the classes' dimension."""
    return tuple(
        Replicate()
        if isinstance(p, Shard) and p.dim == dim
        else Shard(p.dim - (p.dim > dim))
        if isinstance(p, Shard)
        else p
        for p in placements
    )


def _masked(tensor, size, mesh, axis):
    """Indices that are here, as indices into this rank's part; and which are not here."""
    length, offset = Shard.local_shard_size_and_offset(size, mesh.size(axis), mesh.get_coordinate()[axis])
    if not torch._C._js.values(tensor._h):
        # which indices are here is a matter of values that nobody knows
        offset = _ranked.plain(offset)
    mask = (tensor < offset) | (tensor >= offset + length)
    masked = tensor.clone() - offset
    masked[mask] = 0
    return mask, masked


def _local_log_softmax(x, dim, half_to_float, mesh, axis):
    compute = torch.float32 if x.dtype in (torch.float16, torch.bfloat16) else x.dtype
    result_dtype = x.dtype
    x = x.to(dtype=compute, memory_format=torch.contiguous_format)
    x_max = torch.amax(x, dim, keepdim=True)
    x_max = funcol.all_reduce(x_max, "MAX", (mesh, axis))
    shifted = x - x_max
    shifted_sumexp = torch.sum(torch.exp(shifted), dim, keepdim=True)
    shifted_sumexp = funcol.all_reduce(shifted_sumexp, "SUM", (mesh, axis))
    shifted_logsumexp = torch.log(shifted_sumexp)
    result = shifted - shifted_logsumexp
    if not half_to_float:
        result = result.to(result_dtype)
    return result


def _log_softmax(name, args):
    x, dim = args[0], args[1] % args[0].ndim
    spec = x._spec
    axis = _axis(spec, dim)
    dtype = args[2] if len(args) > 2 and args[2] not in (None, False) else None
    result = _local_log_softmax(x._local_tensor, dim, dtype is not None, spec.mesh, axis)
    meta = TensorMeta(spec.shape, torch.empty(spec.shape, device="meta").stride(), result.dtype)
    return DTensor(result, DTensorSpec(spec.mesh, spec.placements, meta))


def _log_softmax_backward(name, args):
    grad, dtype = args[0], args[3] if len(args) > 3 else None
    return grad.to(getattr(torch, dtype)) if isinstance(dtype, str) else grad


def _local_nll(x, target, weight, local_weight, reduction, ignore_index, size, mesh, axis):
    n_dims = x.dim()
    channel = 1 if n_dims >= 2 else 0
    shape = [1] * n_dims

    def lifted(w):
        shape[channel] = w.shape[0]
        return w.view(shape) if n_dims > 1 else w

    if weight is not None:
        w = lifted(weight)
        x = x * lifted(local_weight)
    safe_target = torch.where(target != ignore_index, target, 0)
    safe_target_ = safe_target.unsqueeze(channel)
    mask, partial_target = _masked(safe_target_, size, mesh, axis)
    held = [mask]
    del mask
    result_partial = torch.gather(x, channel, partial_target)
    result_reduced = _summed(result_partial, held, mesh, axis)
    result = -result_reduced.squeeze(channel)
    result = torch.where(target != ignore_index, result, 0)
    if reduction == 0 and n_dims > 1:
        return result, x.new_full((), 0.0)
    if weight is not None:
        wide = list(x.shape)
        wide[channel] = -1
        w = w.expand(wide)
        wsum = torch.gather(w, channel, safe_target_).squeeze(channel)
        wsum = torch.where(target != ignore_index, wsum, 0)
        total_weight = wsum.sum()
    else:
        total_weight = (target != ignore_index).sum().to(x)
    if reduction == 2:
        result = result.sum()
    elif reduction == 1:
        result = result.sum() / total_weight
    return result, total_weight


class _Mask:
    def __init__(self, mask: Tensor) -> None:
        self.mask = mask


def _summed(tensor, held, mesh, axis):
    _zeroed(tensor, _Mask(held))
    return funcol.all_reduce(tensor, "sum", (mesh, axis))


def _nll(name, args):
    x, target, weight, reduction, ignore_index = args
    spec = x._spec
    channel = 1 if x.ndim >= 2 else 0
    axis = _axis(spec, channel)
    target_placements = _without(spec.placements, channel)
    target = _distributed(target, target_placements, spec.mesh)
    local_weight = None
    if weight is not None:
        everywhere = (Replicate(),) * spec.mesh.ndim
        weight = _distributed(weight, everywhere, spec.mesh)
        wanted = [Shard(0) if i == axis else Replicate() for i in range(spec.mesh.ndim)]
        local_weight = weight.redistribute(spec.mesh, wanted)._local_tensor
        weight = weight._local_tensor
    # PyTorch's numbers: mean is 1, sum is 2
    result, total_weight = _local_nll(
        x._local_tensor,
        target._local_tensor,
        weight,
        local_weight,
        reduction,
        ignore_index,
        x.shape[channel],
        spec.mesh,
        axis,
    )
    if reduction == 0:
        out = target_placements
        shape = target.shape
    else:
        if reduction == 1 and spec.mesh.ndim > 1:
            raise NotImplementedError(
                f"loss_parallel() with reduction='mean' is only supported on one-dimensional DeviceMesh; got mesh with ndim={spec.mesh.ndim}. Use reduction='sum' or 'none' instead."
            )
        out = tuple(
            Replicate() if i == axis else Partial() if isinstance(p, Shard) else p
            for i, p in enumerate(spec.placements)
        )
        shape = ()
    stride = torch.empty(shape, device="meta").stride()
    return DTensor(result, DTensorSpec(spec.mesh, out, TensorMeta(shape, stride, result.dtype))), total_weight


def _local_backward(grad_output, x, target, weight, reduction, ignore_index, total_weight, size, mesh, axis):
    channel = 0 if x.dim() < 2 else 1
    if reduction == 1:
        grad_output = grad_output / total_weight
    target = target.unsqueeze(channel)
    safe_target = torch.where(target != ignore_index, target, 0)
    grad_input = torch.zeros_like(x)
    safe_target = safe_target.squeeze(channel).flatten()
    mask, masked_safe_target = _masked(safe_target, size, mesh, axis)
    grad_update = mask.to(grad_input.dtype) - 1.0
    arange_1d = torch.arange(masked_safe_target.shape[0], device=masked_safe_target.device)
    if x.dim() == 1:
        grad_input[masked_safe_target] = grad_update
    elif x.dim() == 2:
        grad_input[arange_1d, masked_safe_target] = grad_update
    else:
        grad_input_t = grad_input.transpose(channel, -1)
        shape = grad_input_t.shape
        grad_input_2d = grad_input_t.reshape(-1, x.shape[channel])
        grad_input_2d[arange_1d, masked_safe_target] = grad_update
        grad_input = grad_input_2d.view(shape).transpose(channel, -1)
    if grad_input.dim() > grad_output.dim() > 0:
        grad_output = grad_output.unsqueeze(channel)
    if weight is not None:
        shape = [1] * x.dim()
        shape[channel] = weight.shape[0]
        weight = weight.reshape(shape)
        shape = list(x.shape)
        shape[channel] = -1
        w = weight.expand(shape)
        w_target = torch.gather(w, channel, target)
        grad_output = grad_output * w_target
    grad_output = torch.where(target != ignore_index, grad_output, 0)
    return (grad_input + torch.exp(x)) * grad_output


def _nll_backward(name, args):
    grad, x, target, weight, reduction, ignore_index, total_weight = args
    spec = x._spec
    channel = 1 if x.ndim >= 2 else 0
    axis = _axis(spec, channel)
    placements = _without(spec.placements, channel)
    target = _distributed(target, placements, spec.mesh)
    if weight is not None:
        weight = _distributed(weight, (Replicate(),) * spec.mesh.ndim, spec.mesh)._local_tensor
    if reduction == 0:
        grad = grad.redistribute(spec.mesh, placements)
    if isinstance(total_weight, DTensor):
        total_weight = total_weight._local_tensor
    result = _local_backward(
        grad._local_tensor if isinstance(grad, DTensor) else grad,
        x._local_tensor, target._local_tensor, weight, reduction, ignore_index, total_weight, x.shape[channel], spec.mesh, axis,
    )  # fmt: skip
    meta = TensorMeta(spec.shape, torch.empty(spec.shape, device="meta").stride(), result.dtype)
    return DTensor(result, DTensorSpec(spec.mesh, spec.placements, meta))


_HANDLERS = {
    "_log_softmax": _log_softmax,
    "_log_softmax_backward_data": _log_softmax_backward,
    "nll_loss_forward": _nll,
    "nll_loss2d_forward": _nll,
    "nll_loss_backward": _nll_backward,
    "nll_loss2d_backward": _nll_backward,
}
