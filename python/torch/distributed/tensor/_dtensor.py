"""class DTensor: a tensor over a mesh, of which this rank has a part. Its operators are run in _dispatch.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import _C, _foreach
from torch.autograd import Function

from ..device_mesh import _mesh_resources
from ._redistribute import Redistribute, redistribute_local_tensor
from ._spec import DTensorSpec, TensorMeta, global_info, normalized
from .placement_types import Partial, Replicate, Shard

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self

    from torch import Tensor
    from torch.distributed.device_mesh import DeviceMesh
    from torch.distributed.tensor.placement_types import Placement


def _for_gradient(placements):
    return tuple(Replicate() if placement.is_partial() else placement for placement in placements)


class _ToTorchTensor(Function):
    @staticmethod
    def forward(ctx: Any, input: DTensor, grad_placements: Sequence[Placement] | None) -> Any:
        ctx.spec, ctx.grad_placements = input._spec, grad_placements
        ctx.set_materialize_grads(False)
        local = input._local_tensor
        return local.view_as(local)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple:
        if grad is None:
            return None, None
        spec = ctx.spec
        placements = ctx.grad_placements
        if placements is None:
            placements = _for_gradient(spec.placements)
        _, stride = global_info(grad, spec.mesh, spec.placements)
        meta = TensorMeta(spec.shape, stride, spec.tensor_meta.dtype)
        return DTensor(grad.view_as(grad), DTensorSpec(spec.mesh, placements, meta)), None


class _FromTorchTensor(Function):
    @staticmethod
    def forward(
        ctx: Any,
        input: Tensor,
        mesh: Any,
        placements: tuple[Placement, ...],
        run_check: bool,
        shape: torch.Size | None,
        stride: tuple[int, ...] | None,
        grad_placements: tuple[Placement, ...] | None,
    ) -> DTensor:
        ctx.mesh, ctx.placements = mesh, placements
        ctx.grad_placements = grad_placements
        ctx.set_materialize_grads(False)
        if shape is None:
            shape, stride = global_info(input, mesh, placements)
        if run_check:
            from .._collectives import broadcast

            for axis, placement in enumerate(placements):
                if placement.is_replicate():
                    input = input.contiguous()
                    broadcast(input, group=mesh.get_group(axis), group_src=0)
        spec = DTensorSpec(mesh, placements, TensorMeta(shape, stride, input.dtype))
        return DTensor(input.view_as(input), spec, requires_grad=input.requires_grad)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        if grad is None:
            return (None,) * 7
        wanted = ctx.grad_placements or _for_gradient(ctx.placements)
        if grad.placements != wanted:
            target = DTensorSpec(ctx.mesh, wanted, grad._spec.tensor_meta)
            local = redistribute_local_tensor(grad._local_tensor, grad._spec, target)
            return local, None, None, None, None, None, None
        return grad.to_local(), None, None, None, None, None, None


def _check_lists(operator, args):
    from ._dispatch import check_lists

    check_lists(operator, args)


_foreach.check_lists = _check_lists


class DTensor(torch.Tensor):
    """A tensor over a mesh: `_local_tensor` is this rank's part, `_spec` says how it lies."""

    _operator_priority = 10

    @staticmethod
    def __new__(cls: type, local_tensor: Tensor, spec: DTensorSpec, *, requires_grad: bool = False) -> DTensor:
        meta = spec.tensor_meta
        made = torch.Tensor._make_wrapper_subclass(
            cls,
            meta.shape,
            strides=meta.stride,
            dtype=local_tensor.dtype,
            device=local_tensor.device,
            requires_grad=requires_grad,
        )
        made._spec, made._local_tensor = spec, local_tensor
        return made

    @classmethod
    def _run_operator(cls, name, args):
        from ._dispatch import run

        return run(name, args)

    @staticmethod
    def from_local(
        local_tensor: Tensor,
        device_mesh: DeviceMesh | None = None,
        placements: Sequence[Placement] | None = None,
        *,
        run_check: bool = False,
        shape: torch.Size | None = None,
        stride: tuple[int, ...] | None = None,
        grad_placements: Sequence[Placement] | None = None,
    ) -> DTensor:
        if isinstance(local_tensor, DTensor):
            raise RuntimeError(
                f"the local_tensor argument only accepts torch.Tensor but got {type(local_tensor)} value."
            )
        mesh = device_mesh or _mesh_resources.get_current_mesh()
        if mesh.device_type != local_tensor.device.type and not local_tensor.is_meta:
            local_tensor = local_tensor.to(mesh.device_type)
        placements = normalized(placements or [Replicate()] * mesh.ndim, local_tensor.ndim)
        return _FromTorchTensor.apply(local_tensor, mesh, placements, run_check, shape, stride, grad_placements)

    def to_local(self, *, grad_placements: Sequence[Placement] | None = None) -> Tensor:
        if not torch.is_grad_enabled():
            return self._local_tensor
        if grad_placements is not None:
            grad_placements = normalized(grad_placements, self._spec.ndim)
        return _ToTorchTensor.apply(self, grad_placements)

    def redistribute(
        self,
        device_mesh: DeviceMesh | None = None,
        placements: Sequence[Placement] | None = None,
        *,
        async_op: bool = False,
        forward_dtype: torch.dtype | None = None,
        backward_dtype: torch.dtype | None = None,
    ) -> DTensor:
        mesh = device_mesh or self._spec.mesh
        if placements is None:
            raise RuntimeError("placements is needed for redistribute!")
        placements = normalized(placements, self.ndim)
        for placement in placements:
            if placement.is_partial() and placement not in self._spec.placements:
                raise RuntimeError(
                    "Can not redistribute to Partial, redistributing to Partial is for internal use only!"
                )
            if isinstance(placement, Shard) and placement.dim >= self.ndim:
                raise RuntimeError(f"Shard dim {placement.dim} is not a dimension of a tensor with {self.ndim}")
        return Redistribute.apply(self, mesh, placements, async_op, forward_dtype, backward_dtype)

    def full_tensor(self, *, grad_placements: Sequence[Placement] | None = None) -> Tensor:
        whole = self.redistribute(placements=[Replicate()] * self._spec.mesh.ndim, async_op=False)
        return _ToTorchTensor.apply(whole, grad_placements)

    @property
    def device_mesh(self) -> DeviceMesh:
        return self._spec.mesh

    @property
    def placements(self) -> tuple[Placement, ...]:
        return self._spec.placements

    def __repr__(self, **_: Any) -> str:
        return f"DTensor(local_tensor={self._local_tensor}, device_mesh={self._spec.mesh}, placements={self._spec.placements})"

    __str__ = __repr__

    # --- what is asked of a tensor's memory is asked of the part

    def data_ptr(self) -> int:
        return self._local_tensor.data_ptr()

    def untyped_storage(self) -> Any:
        return self._local_tensor.untyped_storage()

    def is_pinned(self, device: torch.device | str | int | None = None) -> Any:
        return self._local_tensor.is_pinned()

    def record_stream(self, stream: torch.cuda.Stream) -> None:
        self._local_tensor.record_stream(stream)

    def tolist(self) -> list:
        return self.full_tensor().tolist()

    def _scalar(self):
        return self._local_tensor._scalar()

    def _flat(self):
        return self._local_tensor._flat()

    def pin_memory(self, device: torch.device | str | int | None = None) -> Self:
        return self

    @property
    def data(self) -> Any:
        return self.detach()

    @data.setter
    def data(self, value: Any) -> None:
        _C._js.setData(self._h, value._h, _C.here())
        self._m = None
        self._local_tensor, self._spec = value._local_tensor, value._spec

    def __deepcopy__(self, memo: dict) -> Self:
        if id(self) in memo:
            return memo[id(self)]
        made = self.detach().clone().requires_grad_(self.requires_grad)
        if getattr(self, "_is_param", False):
            made._is_param = True
        memo[id(self)] = made
        return made

    def __reduce_ex__(self, protocol: int) -> tuple:
        return _rebuilt, (self._local_tensor, self._spec.placements, tuple(self.shape), self.requires_grad)

    def __create_chunk_list__(self) -> list:
        return []


def _rebuilt(local, placements, shape, requires_grad):
    return local


def from_local_no_grad(local: Any, spec: Any) -> DTensor:
    """A distributed tensor around a part as it is (`_from_local_no_grad`)."""
    return DTensor(local, spec)


__all__ = ["DTensor", "Partial", "Replicate", "Shard", "from_local_no_grad"]
