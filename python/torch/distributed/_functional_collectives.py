"""Functional collectives: they leave their input as it is and return a tensor that waits when it is first used."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import _C
from torch.autograd import Function

from . import _exchange, _world
from ._nccl import _new_like_flat  # noqa: F401

if TYPE_CHECKING:
    from typing import Any, Self

    from torch import Tensor


_works = {}  # id of a storage's number -> (tensor, work) of a collective nobody waited for (WorkRegistry)


def _register(output, work):
    if work is not None:
        _works[_key(output)] = work
    return output


def _key(tensor):
    return _C._js.storageId(tensor._h)


def _resolve_group(group, tag=""):
    from .device_mesh import DeviceMesh

    if isinstance(group, str):
        return _world._resolve_process_group(group)
    if isinstance(group, DeviceMesh):
        return group.get_group()
    if isinstance(group, tuple) and len(group) == 2 and isinstance(group[0], DeviceMesh):
        return group[0].get_group(group[1])
    if isinstance(group, (list, tuple)):
        ranks = sorted(group)
        for pg in (_world._require(), *_world._groups.values()):
            if pg._ranks == ranks:
                return pg
        return _world.new_group(ranks)
    return _world._resolve(group)


def _resolve_group_name(group, tag=""):
    return _resolve_group(group, tag).group_name


# --- the operators (torch/csrc/distributed/c10d/Functional.cpp)


def _empty(sizes, like):
    return _C.ops.empty(list(sizes), like.dtype, like.device.type)


def _all_reduce(x, group):
    output = x.clone(memory_format=torch.contiguous_format)
    _exchange.note(group, "all_reduce", (x,))
    return _register(output, group.allreduce([output], True))


def _all_gather(x, group):
    x = x.contiguous()
    output = _empty([x.shape[0] * group.size(), *x.shape[1:]], x)
    _exchange.note(group, "all_gather_into_tensor", (x,))
    return _register(output, group.allgather_single(output, x, True))


def _reduce_scatter(x, group):
    x = x.contiguous()
    output = _empty([x.shape[0] // group.size(), *x.shape[1:]], x)
    _exchange.note(group, "reduce_scatter_tensor", (x,))
    return _register(output, group.reduce_scatter_single(output, x, True))


def _all_to_all(x, out_sizes, in_sizes, group):
    x = x.contiguous()
    output = _empty([sum(out_sizes), *x.shape[1:]], x)
    _exchange.note(group, "all_to_all_single")
    return _register(output, group.alltoall_single(output, x, True))


def _broadcast(x, group):
    output = x.clone(memory_format=torch.contiguous_format)
    _exchange.note(group, "broadcast", (x,))
    return _register(output, group.broadcast([output], True))


class _AllReduce(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, op: Any, group: torch.distributed.ProcessGroup) -> Any:
        ctx.group, ctx.op = group, op
        return _all_reduce(x, group)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        return wait_tensor(_all_reduce(grad.contiguous(), ctx.group)), None, None


class _AllGather(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, group: torch.distributed.ProcessGroup) -> Any:
        ctx.group = group
        return _all_gather(x, group)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        return wait_tensor(_reduce_scatter(grad, ctx.group)), None


class _ReduceScatter(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, group: torch.distributed.ProcessGroup) -> Any:
        ctx.group = group
        return _reduce_scatter(x, group)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        return wait_tensor(_all_gather(grad, ctx.group)), None


class _AllToAll(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, out_sizes: Any, in_sizes: Any, group: torch.distributed.ProcessGroup) -> Any:
        ctx.arguments = out_sizes, in_sizes, group
        return _all_to_all(x, out_sizes, in_sizes, group)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        out_sizes, in_sizes, group = ctx.arguments
        return wait_tensor(_all_to_all(grad, in_sizes, out_sizes, group)), None, None, None


class _Wrap(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> AsyncCollectiveTensor:
        return AsyncCollectiveTensor(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad


def _maybe_wrap_tensor(x):
    return _Wrap.apply(x)


def wait_tensor(x: Tensor) -> Tensor:
    """The tensor of a collective, once it is over."""
    if isinstance(x, AsyncCollectiveTensor):
        return x.wait()
    work = _works.pop(_key(x), None)
    if work is not None:
        work.wait()
    return x


# Operators that only change how memory is looked at: they do not wait.
_VIEWS = frozenset(
    """view reshape_alias as_strided detach transpose permute t squeeze squeeze_dim unsqueeze expand slice select narrow unbind
    split split_with_sizes chunk flatten alias _unsafe_view view_as unflatten""".split()
)


class AsyncCollectiveTensor(torch.Tensor):
    """The result of a functional collective, waited for at its first use."""

    _operator_priority = 0

    @staticmethod
    def __new__(cls: type, elem: Tensor) -> Self:
        made = torch.Tensor._make_wrapper_subclass(
            cls,
            elem.shape,
            strides=elem.stride(),
            dtype=elem.dtype,
            device=elem.device,
            requires_grad=elem.requires_grad,
        )
        made.elem, made.completed = elem, False
        return made

    def trigger_wait(self) -> Any:
        if not self.completed:
            out = wait_tensor(self.elem)
            self.completed = True
            return out
        return self.elem

    def wait(self) -> Tensor:
        return wait_tensor(self.elem)

    def tolist(self) -> list:
        return self.trigger_wait().tolist()

    def numpy(self, **_: Any) -> Any:
        return self.wait().numpy()

    def __repr__(self, **_: Any) -> str:
        return f"AsyncCollectiveTensor({self.trigger_wait()})"

    @classmethod
    def _run_operator(cls, name, args):
        view = name in _VIEWS

        def plain(x):
            if isinstance(x, AsyncCollectiveTensor):
                return x.elem if view else x.trigger_wait()
            return [plain(item) for item in x] if type(x) is list else x

        args = [plain(x) for x in args]
        result = getattr(_C.ops, name)(*args)
        if not view:
            return result
        if isinstance(result, (tuple, list)):
            return [AsyncCollectiveTensor(t) for t in result]
        return AsyncCollectiveTensor(result)


# --- what programs call


def broadcast(self: Tensor, src: int, group: Any, tag: str = "") -> Tensor:
    return _maybe_wrap_tensor(_broadcast(self, _resolve_group(group, tag)))


def all_reduce(self: Tensor, reduceOp: str, group: Any, tag: str = "") -> Tensor:
    return _maybe_wrap_tensor(_AllReduce.apply(self, reduceOp, _resolve_group(group, tag)))


def _chunk_cat(x, count, dim):
    """Pieces along dimension 0, put one after another along another."""
    shape = list(x.shape)
    between = math.prod(shape[1:dim]) if dim > 1 else 1
    if shape[0] == count and between == 1:
        sizes = shape[1:]
        sizes[dim - 1] *= count
        return x.view([1, *sizes] if dim > 1 else [1, shape[1] * count, *shape[2:]])
    return torch.cat(torch.chunk(x, count, dim=0), dim=dim)


def all_gather_single(self: Tensor, gather_dim: int, group: Any, tag: str = "") -> Tensor:
    group = _resolve_group(group, tag)
    result = _maybe_wrap_tensor(_AllGather.apply(self, group))
    if gather_dim != 0:
        between = math.prod(result.shape[1:gather_dim]) if gather_dim > 1 else 1
        if isinstance(result, AsyncCollectiveTensor) and not (result.shape[0] == group.size() and between == 1):
            result = result.wait()
        result = _chunk_cat(result, group.size(), gather_dim)
    return result


all_gather_tensor = all_gather_tensor_autograd = all_gather_single_autograd = all_gather_single


def reduce_scatter_single(self: Tensor, reduceOp: str, scatter_dim: int, group: Any, tag: str = "") -> Tensor:
    group = _resolve_group(group, tag)
    if self.size(scatter_dim) % group.size():
        raise AssertionError(f"input dimension 0 ({self.size(0)} must be a multiple of group_size {group.size()})")
    if scatter_dim != 0:
        self = torch.cat(torch.chunk(self, group.size(), dim=scatter_dim), dim=0)
    return _maybe_wrap_tensor(_ReduceScatter.apply(self, group))


reduce_scatter_tensor = reduce_scatter_tensor_autograd = reduce_scatter_single_autograd = reduce_scatter_single


def all_reduce_coalesced(self: list[Tensor], reduceOp: str, group: Any, tag: str = "") -> list[Tensor]:
    group = _resolve_group(group, tag)
    outputs = [x.clone(memory_format=torch.contiguous_format) for x in self]
    work = group.allreduce_coalesced(outputs, True)
    return [_maybe_wrap_tensor(_register(output, work)) for output in outputs]


def all_gather_single_coalesced(self: list[Tensor], group: Any, tag: str = "") -> list[Tensor]:
    group = _resolve_group(group, tag)
    inputs = [x.contiguous() for x in self]
    outputs = [_empty([x.shape[0] * group.size(), *x.shape[1:]], x) for x in inputs]
    work = group.allgather_single_coalesced(outputs, inputs, True)
    return [_maybe_wrap_tensor(_register(output, work)) for output in outputs]


all_gather_into_tensor_coalesced = all_gather_single_coalesced


def reduce_scatter_single_coalesced(
    inputs: list[Tensor], reduceOp: str, scatter_dim: list[int], group: Any, tag: str = ""
) -> list[Tensor]:
    group = _resolve_group(group, tag)
    inputs = [
        torch.cat(torch.chunk(x, group.size(), dim=dim), dim=0) if dim else x for x, dim in zip(inputs, scatter_dim)
    ]
    outputs = [_empty([x.shape[0] // group.size(), *x.shape[1:]], x) for x in inputs]
    work = group.reduce_scatter_single_coalesced(outputs, inputs, True)
    return [_maybe_wrap_tensor(_register(output, work)) for output in outputs]


reduce_scatter_tensor_coalesced = reduce_scatter_single_coalesced


def all_to_all_single(
    self: Tensor, output_split_sizes: list[int] | None, input_split_sizes: list[int] | None, group: Any, tag: str = ""
) -> Tensor:
    group = _resolve_group(group, tag)
    if output_split_sizes is None or input_split_sizes is None:
        output_split_sizes = input_split_sizes = [self.shape[0] // group.size()] * group.size()
    return _maybe_wrap_tensor(_AllToAll.apply(self, list(output_split_sizes), list(input_split_sizes), group))


all_to_all_single_autograd = all_to_all_single


def permute_tensor(self: Tensor, src_dst: list[int], group: Any, tag: str = "") -> Tensor:
    group = _resolve_group(group, tag)
    into, out = [0] * group.size(), [0] * group.size()
    for src, dst in enumerate(src_dst):
        if src == group.rank():
            out[dst] = self.numel()
        if dst == group.rank():
            into[src] = self.numel()
    return all_to_all_single(self, into, out, group, tag)
