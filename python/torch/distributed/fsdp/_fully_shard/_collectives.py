"""What a group of parameters does together: gathering, copying out, and reducing gradients to shards.

Which name holds a tensor, and until when, decides the peak, so names are bound and let go as in PyTorch's
_fsdp_collectives.py: the cast input lives until the gather returns, and the last gradient of a group until its reduction does.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import torch
from torch import _ranked
from torch._release import rules

from ... import _collectives as dist
from ..._collectives import ReduceOp
from ._param import SHARDED, cast_if_needed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from torch import Tensor
    from torch.distributed._nccl import ProcessGroup


class AllGatherResult:
    def __init__(
        self, output: Any, work: Any, dtypes: Sequence[torch.dtype], numels: Sequence[int], split_sizes: Any
    ) -> None:
        self.output, self.work = output, work
        self.dtypes, self.numels, self.split_sizes = dtypes, numels, split_sizes


@torch.no_grad()
def foreach_all_gather(
    params: Iterable[Tensor],
    group: ProcessGroup,
    async_op: bool,
    copy_in_stream: Any,
    gather_stream: Any,
    device: torch.device,
) -> AllGatherResult | None:
    world_size, rank = group.size(), group.rank()
    with torch.cuda.stream(copy_in_stream):
        param_inputs = _all_gather_inputs(params)
        dtypes = [[t.dtype for t in inputs] for inputs in param_inputs]
        numels = [[t.numel() for t in inputs] for inputs in param_inputs]
        kinds = {dtype for row in dtypes for dtype in row}
        dtype = kinds.pop() if len(kinds) == 1 else torch.uint8
        if dtype == torch.uint8:
            all_gather_inputs = [t.view(torch.uint8) for ts in param_inputs for t in ts]
        else:
            all_gather_inputs = [*chain.from_iterable(param_inputs)]
        split_sizes = [t.numel() for t in all_gather_inputs]
        numel = sum(split_sizes)
        output = torch.empty((numel * world_size,), dtype=dtype, device=device)
        torch._C.tag(output, "communication")
        own = output.narrow(0, _ranked.plain(numel * rank), numel)
        torch._foreach_copy_(torch.split(own, split_sizes), all_gather_inputs)
        del param_inputs
    with torch.cuda.stream(gather_stream):
        work = dist.all_gather_single(output, own, group=group, async_op=async_op)
        return AllGatherResult(output, work, dtypes, numels, split_sizes)


@torch.no_grad()
def _all_gather_inputs(params):
    inputs = [[] for _ in params]
    indices, tensors, numels = [], [], []
    for i, param in enumerate(params):
        if param.param_dtype is not None and not param.offload_to_cpu:
            shard = param._sharded_param_data if param.sharded_state == SHARDED else param._post_forward_data
            indices.append(i)
            tensors.append(shard)
            numels.append(shard.numel())
        else:
            inputs[i] = param.all_gather_inputs
    if tensors:
        first = params[indices[0]]
        flat = torch.empty((sum(numels),), device=first.device, dtype=first.param_dtype)
        torch._C.tag(flat, "communication")
        splits = torch.split(flat, numels)
        torch._foreach_copy_(splits, tensors)
        for i, split in zip(indices, splits):
            inputs[i] = [split]
    return inputs


@torch.no_grad()
def foreach_all_gather_copy_out(result: Any, params: Iterable[Tensor], group: ProcessGroup) -> None:
    output = result.output
    if result.work is not None:
        result.work.wait()
    world_size = group.size()
    along_others = []
    for numels, dtypes, param in zip(result.numels, result.dtypes, params):
        param.init_all_gather_outputs(numels, dtypes, world_size)
        param.alloc_all_gather_outputs()
        if param.fsdp_placement.dim != 0:
            along_others.append((param, [torch.empty_like(t) for t in param.all_gather_outputs]))
    output = output.view(world_size, -1)
    for param, gathered in along_others:
        dim = param.fsdp_placement.dim
        for source, target in zip(gathered, param.all_gather_outputs):
            before, after = list(param.padded_size), list(param.padded_size)
            before[0] *= world_size
            after[dim] *= world_size
            chunks = torch.chunk(source.view(before), world_size, dim=0)
            # those who saved the parameter are to find what they saved
            with torch.autograd._unsafe_preserve_version_counter(target):
                torch.cat(chunks, dim=dim, out=target.view(after))


def _factors(reduce_size, all_reduce_size, dtype, factor, sum_only):
    """What gradients are divided by before and after: 16-bit floats in two steps, others by the collective itself."""
    risky = dtype not in (torch.float32, torch.bfloat16)
    if not risky and not sum_only:
        return None, None
    factor = float(reduce_size * all_reduce_size) if factor is None else factor
    if not risky:
        return None, factor
    before = 1
    while factor % before == 0 and factor / before > before:
        before *= 2
    return before, factor / before


def _divided(tensor, factor):
    if factor is not None and factor != 1:
        tensor.div_(factor)


class Reduced:
    """What is left of a reduction: its input, and where replicas average, the buffer that they used or what is not yet averaged."""

    def __init__(self, input: Tensor, all_reduce_input: Any = None, partial_output: Tensor | None = None) -> None:
        self.input, self.all_reduce_input, self.partial_output = input, all_reduce_input, partial_output


@torch.no_grad()
def foreach_reduce(
    params: Iterable[Tensor], unsharded_grads: list[Tensor], group_of_params: Any, partial_output: Tensor
) -> Any:
    g = group_of_params
    info, device = g.info, g.device
    dtypes = {grad.dtype for grad in unsharded_grads}
    if len(dtypes) != 1:
        raise AssertionError(f"FSDP reduce-scatter expects uniform gradient dtype but got {dtypes}")
    reduce_dtype = g.reduce_dtype or unsharded_grads[0].dtype
    world_size = info.shard_size
    replicas = info.replicate_group.size() if info.replicates else 1
    before, after = _factors(world_size, replicas, reduce_dtype, g.gradient_divide_factor, g.force_sum)
    if world_size > 1:
        for i, (param, unsharded_grad) in enumerate(zip(params, unsharded_grads)):
            if (dim := param.fsdp_placement.dim) == 0:
                continue
            if unsharded_grad.size(dim) % world_size != 0:
                raise AssertionError(f"Shard({dim}) requires even sharding: {unsharded_grad.size()=} {world_size=}")
            chunks = torch.chunk(unsharded_grad, world_size, dim=dim)
            unsharded_grads[i] = torch.cat(chunks, dim=0)
    padded_sizes = [_padded(grad.size(), world_size) for grad in unsharded_grads]
    numel = sum(size.numel() for size in padded_sizes)
    reduce_input = torch.empty((numel,), dtype=reduce_dtype, device=device)
    torch._C.tag(reduce_input, "communication")
    if rules.chunk_cat_pads:
        padded = [g.new_empty(s) for g, s in zip(unsharded_grads, padded_sizes) if g.shape != s]
        del padded
    unsharded_grads.clear()
    all_reduce_input = None
    comm = g.comm
    with torch.cuda.stream(comm.reduce_scatter_stream):
        reduce_output = torch.empty((numel // world_size,), dtype=reduce_dtype, device=device)
        _divided(reduce_input, before)
        if world_size > 1:
            dist.reduce_scatter_single(reduce_output, reduce_input, group=g.reduce_group, op=ReduceOp.AVG)
        elif g.gradient_divide_factor is not None:
            reduce_output.copy_(reduce_input / g.gradient_divide_factor)
        else:
            reduce_output.copy_(reduce_input)
        post_stream = comm.reduce_scatter_stream
        if info.replicates:
            if not g.all_reduce_grads:
                if partial_output is not None:
                    partial_output += reduce_output
                else:
                    partial_output = reduce_output
                return Reduced(reduce_input, None, partial_output)
            if partial_output is not None:
                reduce_output += partial_output
            post_stream = comm.all_reduce_stream
            with torch.cuda.stream(comm.all_reduce_stream):
                dist.all_reduce(reduce_output, group=info.replicate_group)
                all_reduce_input = reduce_output
    if g.all_reduce_hook is not None:
        post_stream = g.all_reduce_hook_stream or comm.all_reduce_stream
        with torch.cuda.stream(post_stream):
            g.all_reduce_hook(reduce_output)
    with torch.cuda.stream(post_stream):
        _divided(reduce_output, after)
        reduce_output = cast_if_needed(reduce_output, g.orig_dtype)
        torch._C.tag(reduce_output, "gradient")
        offset = 0
        for size, param in zip(padded_sizes, params):
            new_grad = torch.as_strided(reduce_output, param.sharded_size, param.sharded_stride, storage_offset=offset)
            accumulates = param.sharded_param.grad is not None
            if param.offload_to_cpu:
                new_grad = new_grad.to(torch.device("cpu"), non_blocking=param.pin_memory and not accumulates)
            if accumulates:
                param.sharded_param.grad._local_tensor += new_grad
            else:
                new_dtensor_grad = param.to_sharded_dtensor(new_grad)
                param.sharded_param.grad = new_dtensor_grad
            for hook in list(_accumulate_hooks(param.sharded_param)):
                hook(param.sharded_param)
            offset += size.numel() // world_size
    return Reduced(reduce_input, all_reduce_input)


def _accumulate_hooks(param):
    return (param.__dict__.get("_post_accumulate_grad_hooks") or {}).values()


def _padded(size, count):
    return torch.Size([-(-size[0] // count) * count, *size[1:]])
