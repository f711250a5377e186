"""One parameter under fully_shard: its shard, its storage while it is whole, and the switch between both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import _ranked

from ...tensor import DTensor, Replicate, Shard
from ...tensor._dtensor import from_local_no_grad
from ...tensor._spec import DTensorSpec, TensorMeta
from ...tensor.placement_types import _StridedShard
from ._api import CPUOffloadPolicy, MeshInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from torch import Tensor
    from torch.distributed.fsdp._fully_shard._api import MixedPrecisionPolicy
    from torch.distributed.fsdp._fully_shard._api import OffloadPolicy


SHARDED, SHARDED_POST_FORWARD, UNSHARDED = "SHARDED", "SHARDED_POST_FORWARD", "UNSHARDED"


def contiguous_strides(size: int | Sequence[int]) -> tuple:
    strides, step = [], 1
    for n in reversed(size):
        strides.append(step)
        step *= max(n, 1)
    return tuple(reversed(strides))


def chunk_with_empty(tensor: Tensor, count: int, dim: int) -> Any:
    chunks = list(torch.chunk(tensor, count, dim=dim))
    while len(chunks) < count:
        chunks.append(chunks[0].new_empty(0))
    return chunks


def chunked_size(chunk: Any, whole: Any, dim: int) -> Any:
    if chunk.numel() > 0:
        return chunk.shape
    return torch.Size(whole[:dim] + (0,) + whole[dim + 1 :])


def cast_if_needed(tensor: Tensor, dtype: torch.dtype | None) -> Tensor:
    return tensor.to(dtype) if dtype is not None and tensor.dtype != dtype else tensor


def alloc_storage(tensor: Tensor) -> None:
    size = tensor.numel() * tensor.itemsize
    if (storage := tensor.untyped_storage()).size() != size:
        storage.resize_(size)


def free_storage(tensor: Tensor) -> None:
    if (storage := tensor.untyped_storage()).size() != 0:
        storage.resize_(0)


class ShardPlacementResult:
    """What a placement function may return: a placement and the mesh to shard over."""

    def __init__(self, placement: Any, mesh_info: Any) -> None:
        self.placement, self.mesh_info = placement, mesh_info


class FSDPParam:
    """Sharded along one dimension, padded so that all ranks' shards have the size of the first."""

    def __init__(
        self,
        param: torch.nn.Parameter,
        module_infos: Any,
        info: Any,
        post_forward_info: Any,
        device: torch.device,
        shard_placement_fn: Callable | None,
        mp_policy: MixedPrecisionPolicy,
        offload_policy: OffloadPolicy,
    ) -> None:
        self.module_infos = module_infos  # [(module, name), ...]: where the parameter is registered
        self.post_forward_info = post_forward_info
        self.device, self.mp_policy = device, mp_policy
        self.offload_to_cpu = isinstance(offload_policy, CPUOffloadPolicy)
        self.pin_memory = self.offload_to_cpu and offload_policy.pin_memory
        self._init_sharded_param(param, shard_placement_fn, info)
        if post_forward_info is not None:
            self._init_post_forward(param)
        self.all_gather_outputs = []
        self.unsharded_accumulated_grad = None
        self._fqn = None
        self.module_infos[0][0].register_load_state_dict_post_hook(lambda *_, **__: self.reset_sharded_param())

    @torch.no_grad()
    def _init_sharded_param(self, param, shard_placement_fn, info):
        placement = shard_placement_fn(param) if callable(shard_placement_fn) else None
        if isinstance(placement, ShardPlacementResult):
            placement, info = placement.placement, placement.mesh_info
        self.info = info
        if param.device != self.device and param.device.type != "meta":
            raise AssertionError(
                f"Expects the parameter to already be moved to device {self.device} but got {param.device}"
            )
        if not param.is_contiguous():
            raise NotImplementedError(
                f"FSDP does not support non-contiguous parameters yet: {param.shape=} {param.stride()=}"
            )
        if placement is None:
            placement = Shard(0)
        elif placement.dim < 0:
            placement = Shard(placement.dim + param.ndim)
        if not isinstance(placement, Shard):
            raise AssertionError(f"Expected Shard, got {type(placement)}: {placement}")
        self.fsdp_placement, shard_dim = placement, placement.dim
        self.is_dtensor = isinstance(param, DTensor)
        param_data = self._init_spec(param, placement)
        self._orig_size = param_data.size()
        self._orig_stride = contiguous_strides(self._orig_size)
        rank, count = info.shard_rank, info.shard_size
        if shard_dim > 0 and param_data.size(shard_dim) % count != 0:
            raise NotImplementedError(
                f"FSDP does not support uneven sharding on dim {shard_dim}: {param_data.size()} (world size: {count})"
            )
        chunks = chunk_with_empty(param_data, count, shard_dim)
        sharded_param = _ranked.choose(chunks, rank, lambda chunk: chunk.shape)
        self.sharded_size = chunked_size(sharded_param, param_data.size(), shard_dim)
        self.sharded_stride = contiguous_strides(self.sharded_size)
        self.padded_size = chunks[0].size()
        padded = param_data.new_zeros(self.padded_size)
        if sharded_param.numel() > 0:
            padded.narrow(shard_dim, 0, sharded_param.size(shard_dim)).copy_(sharded_param)
        if self.offload_to_cpu and not padded.is_meta:
            padded = padded.cpu()
        self._sharded_param_data = padded.view(-1)
        length = sharded_param.size(shard_dim) if sharded_param.numel() > 0 else 0
        sharded_param = padded.narrow(shard_dim, 0, length)
        self.sharded_param = torch.nn.Parameter(
            self.to_sharded_dtensor(sharded_param), requires_grad=param.requires_grad
        )
        torch._C.tag(padded, "parameter")
        self._set(self.sharded_param)
        self.sharded_state = SHARDED

    def _init_spec(self, param, placement):
        mesh = self.info.mesh
        own = []
        if self.info.replicates:
            own.append(Replicate())
        if not self.is_dtensor:
            self._unsharded_spec = None
            if self.info.shards:
                own.append(placement)
            self._spec = DTensorSpec(mesh, own, TensorMeta(param.size(), param.stride(), param.dtype))
            return param
        self._unsharded_spec = param._spec
        factor = param._spec.num_shards_map[placement.dim]
        if self.info.shards:
            own.append(_StridedShard(placement.dim, split_factor=factor) if factor > 1 else placement)
        both = type(mesh)._concatenate([mesh, param._spec.mesh])
        self._spec = DTensorSpec(both, (*own, *param._spec.placements), param._spec.tensor_meta)
        return param._local_tensor

    def _init_post_forward(self, param):
        data = param._local_tensor if isinstance(param, DTensor) else param
        info = self.post_forward_info
        chunks = chunk_with_empty(data, info.shard_size, 0)
        own = _ranked.choose(chunks, info.shard_rank, lambda chunk: chunk.shape)
        self.post_forward_size = chunked_size(own, data.size(), self.fsdp_placement.dim)
        self.post_forward_stride = contiguous_strides(self.post_forward_size)

    def init_dtype_attrs(self, policy: Any) -> None:
        param_dtype, reduce_dtype = policy.param_dtype, policy.reduce_dtype
        self.orig_dtype = self.sharded_param.dtype
        if reduce_dtype == param_dtype:
            reduce_dtype = None
        if param_dtype == self.orig_dtype or not self.orig_dtype.is_floating_point:
            param_dtype = None
        self.param_dtype, self.reduce_dtype = param_dtype, reduce_dtype

    # --- whole and sharded

    def init_all_gather_outputs(self, numels: Sequence[int], dtypes: Sequence[torch.dtype], world_size: int) -> None:
        if self.all_gather_outputs:
            return
        self.all_gather_outputs = [
            torch.empty(torch.Size([numel * world_size]), dtype=dtype, device=self.device)
            for numel, dtype in zip(numels, dtypes)
        ]

    def alloc_all_gather_outputs(self) -> None:
        for tensor in self.all_gather_outputs:
            alloc_storage(tensor)
            torch._C.tag(tensor, "gathered_parameter")

    def init_unsharded_param(self) -> None:
        if hasattr(self, "_unsharded_param"):
            return
        whole = torch.as_strided(self.all_gather_outputs[0], self._orig_size, self._orig_stride, storage_offset=0)
        if self._unsharded_spec is not None:
            meta = self._unsharded_spec.tensor_meta
            meta = TensorMeta(meta.shape, meta.stride, whole.dtype)
            whole = from_local_no_grad(
                whole, DTensorSpec(self._unsharded_spec.mesh, self._unsharded_spec.placements, meta)
            )
        self._unsharded_param = torch.nn.Parameter(whole, requires_grad=self.sharded_param.requires_grad)

    def _set(self, param):
        for module, name in self.module_infos:
            module._parameters[name] = param

    def to_sharded(self) -> None:
        self._set(self.sharded_param)
        for tensor in self.all_gather_outputs:
            free_storage(tensor)
        self.sharded_state = SHARDED

    def to_sharded_post_forward(self) -> None:
        if self.is_dtensor:
            raise NotImplementedError("Resharding to smaller mesh is not supported for DTensor parameters yet")
        info = self.post_forward_info
        numel = self.all_gather_outputs[0].numel()
        if numel % info.shard_size:
            raise AssertionError(
                f"All-gather output size ({numel}) must be divisible by the shard world size ({info.shard_size})"
            )
        each = numel // info.shard_size
        self._post_forward_data = (
            self.all_gather_outputs[0].narrow(0, _ranked.plain(each * info.shard_rank), each).clone()
        )
        shard = torch.as_strided(self._post_forward_data, self.post_forward_size, self.post_forward_stride, 0)
        spec = DTensorSpec(info.mesh, (Replicate(), Shard(0)), self._spec.tensor_meta)
        self._post_forward_param = torch.nn.Parameter(
            from_local_no_grad(shard, spec), requires_grad=self.sharded_param.requires_grad
        )
        self._set(self._post_forward_param)
        for tensor in self.all_gather_outputs:
            free_storage(tensor)
        self.sharded_state = SHARDED_POST_FORWARD

    def to_unsharded(self) -> None:
        if self._unsharded_param.requires_grad != self.sharded_param.requires_grad:
            self._unsharded_param.requires_grad_(self.sharded_param.requires_grad)
        self._set(self._unsharded_param)
        if self.sharded_state == SHARDED_POST_FORWARD:
            self._post_forward_param = None
            self._post_forward_data = None
        self.sharded_state = UNSHARDED

    def to_sharded_dtensor(self, tensor: Tensor) -> DTensor:
        if tensor.shape != self.sharded_size:
            raise AssertionError(f"Expects size {self.sharded_size} but got {tensor.shape}")
        return from_local_no_grad(tensor, self._spec)

    @property
    def all_gather_inputs(self) -> list[Tensor]:
        if self.sharded_state == SHARDED:
            data = self._sharded_param_data
            if self.offload_to_cpu:
                data = data.to(self.device, non_blocking=True)
            return [cast_if_needed(data, self.param_dtype)]
        return [cast_if_needed(self._post_forward_data, self.param_dtype)]

    # --- gradients

    @property
    def unsharded_param(self) -> torch.nn.Parameter:
        return self._unsharded_param

    def inner_grad(self, grad: Tensor) -> Any:
        if self.is_dtensor:
            wanted = self._unsharded_spec.placements
            if grad.placements != wanted:
                grad = grad.redistribute(placements=wanted)
            grad = grad._local_tensor
        return grad

    def to_accumulated_grad_if_needed(self) -> None:
        grad = self._unsharded_param.grad
        if self.reduce_dtype is None or grad is None or grad.dtype == self.reduce_dtype:
            return
        del grad
        unsharded_grad = self._unsharded_param.grad
        self._unsharded_param.grad = None
        self.unsharded_accumulated_grad = unsharded_grad.to(self.reduce_dtype)

    def accumulate_unsharded_grad_if_needed(self) -> None:
        if self.unsharded_accumulated_grad is not None and self.unsharded_param.grad is not None:
            self.unsharded_accumulated_grad += self.unsharded_param.grad
            self.unsharded_param.grad = None

    def reset_sharded_param(self) -> None:
        """Takes over what load_state_dict or a conversion put in the shard's place, and pads it again."""
        module, name = self.module_infos[0]
        new_param = module._parameters[name]
        if new_param is not self.sharded_param:
            self.sharded_param = new_param
        local = new_param._local_tensor
        if local.is_meta:
            return
        same = (
            self._sharded_param_data.device == local.device
            and self._sharded_param_data.untyped_storage() == local.untyped_storage()
        )
        dim, updated = self.fsdp_placement.dim, False
        length = local.size(dim) if local.numel() > 0 else 0
        if local.size() != self.padded_size and not same:
            padded = local.new_zeros(self.padded_size)
            padded.narrow(dim, 0, length).copy_(local)
            local, updated = padded, True
        if not same:
            self._sharded_param_data = local.view(-1)
        if updated:
            self.sharded_param._local_tensor = local.narrow(dim, 0, length)
        self._spec = self.sharded_param._spec


__all__ = ["FSDPParam", "MeshInfo"]
