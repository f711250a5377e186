"""A flat parameter and its states: a rank's shard, gathered, on the host (torch/distributed/fsdp/_flat_param.py, FlatParamHandle)."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist
from torch import _ranked

from ._flat_layout import FlatParameter, Layout, _aligned_numel, padded_shard, unpadded_shard
from ._flat_views import FlatViews
from ._states import HandleTrainingState
from ._tensor_parallel import require_outer_mesh
from .api import ShardingStrategy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from torch import Tensor


_HOST = torch.device("cpu")


def _alloc(tensor, numel):
    nbytes = numel * tensor.itemsize
    if (storage := tensor.untyped_storage()).size() != nbytes:
        storage.resize_(nbytes)


def _free(tensor):
    if (storage := tensor.untyped_storage()).size() != 0:
        storage.resize_(0)


def record_stream(tensor: Tensor, stream: torch.cuda.Stream) -> None:
    if tensor.device.type == "cuda":
        tensor.record_stream(stream)


class FlatParamHandle(FlatViews):
    """The one flat parameter of an instance, with what of it is on the device at present."""

    def __init__(
        self, params: Sequence[torch.nn.Parameter | Tensor], module: torch.nn.Module, device: torch.device, state: Any
    ) -> None:
        params = list(params)
        require_outer_mesh(params, state._device_mesh)
        mixed, group = state.mixed_precision, state.process_group
        self.device, self.process_group = device, group
        self.rank, self.world_size = group.rank(), group.size()
        self.strategy = state.sharding_strategy
        self.offloaded = state.cpu_offload.offload_params
        self.use_orig_params = state._use_orig_params
        self.keep_low_precision_grads = mixed.keep_low_precision_grads
        self.state = HandleTrainingState.IDLE
        self.module = module
        self.skipped_views_of = None
        self.pre_forward_index = self.post_forward_index = None
        self.needs_pre_forward_unshard = self.needs_pre_backward_unshard = self.prefetched = False
        self.ran_pre_backward = False
        self.orig_dtype = params[0].dtype
        self._given_param_dtype = mixed.param_dtype is not None
        self._given_reduce_dtype = mixed.reduce_dtype is not None
        self.param_dtype = mixed.param_dtype or self.orig_dtype
        if self._given_param_dtype and not self._given_reduce_dtype:
            self.reduce_dtype = self.param_dtype
        else:
            self.reduce_dtype = mixed.reduce_dtype or self.orig_dtype
        self.aligned_numel = _aligned_numel(self.param_dtype) if self.use_orig_params else 0
        self.layout = Layout(params, module, self.aligned_numel, self.world_size, self.use_orig_params)
        self.flat_param = FlatParameter(self.layout.take_flat(), requires_grad=self.layout.requires_grad)
        self.unsharded_size = self.flat_param.size()
        self.flat_param._fqns = tuple(self.layout.fqns)
        self.flat_param._shapes = tuple(self.layout.shapes)
        self.flat_param._numels = tuple(s.numel() for s in self.layout.shapes)
        self.flat_param._unpadded_unsharded_size = self.unsharded_size
        self.flat_param._post_backward_called = False
        self.set_unsharded_views(as_params=False)

    @property
    def sharded(self) -> Any:
        return self.strategy != ShardingStrategy.NO_SHARD

    @property
    def casts_params(self) -> Any:
        return self.param_dtype != self.orig_dtype

    @property
    def casts_reduction(self) -> Any:
        return self.reduce_dtype != self.orig_dtype

    @property
    def in_full_precision(self) -> Any:
        return (self.casts_params or self.casts_reduction) and self.state == HandleTrainingState.SUMMON_FULL_PARAMS

    # --- at construction

    @torch.no_grad()
    def shard(self) -> None:
        flat_param = self.flat_param
        begin, end, padded = 0, flat_param.numel() - 1, 0
        if self.sharded:
            shard, padded = padded_shard(flat_param, self.rank, self.world_size)
            _free(flat_param)
            flat_param.set_(shard)
            begin = shard.numel() * self.rank
            end = begin + shard.numel() - 1
        self.sharded_size = flat_param._sharded_size = flat_param.size()
        if not self.use_orig_params:
            # only an optimizer's state dict asks which part it is
            begin, end = _ranked.plain(begin), _ranked.plain(end)
        self.in_shard = self.layout.in_shard(begin, end)
        self.padded_numel = flat_param._shard_numel_padded = padded
        if self.use_orig_params:
            self.set_sharded_views()

    @torch.no_grad()
    def init_storages(self) -> None:
        """Makes the tensors whose storages come and go; each is allocated for a moment."""
        flat_param = self.flat_param
        if flat_param.dtype != self.orig_dtype:
            if not self._given_param_dtype:
                self.param_dtype = flat_param.dtype
                if not self._given_reduce_dtype:
                    self.reduce_dtype = flat_param.dtype
            self.orig_dtype = flat_param.dtype
        if self.offloaded and flat_param.device != _HOST:
            raise AssertionError(
                "Expects the `FlatParameter` to be on CPU when parameter CPU offloading is enabled, "
                f"not {flat_param.device}"
            )
        flat_param._local_shard = flat_param.data
        if self.offloaded:
            flat_param._local_shard = flat_param._local_shard.pin_memory()
            flat_param._cpu_grad = torch.zeros_like(flat_param._local_shard, device=_HOST).pin_memory()
        if self.casts_params:
            flat_param._mp_shard = torch.empty_like(flat_param._local_shard, device=self.device, dtype=self.param_dtype)
            _free(flat_param._mp_shard)
        if not self.sharded:
            return
        numel = flat_param.numel() * self.world_size
        dtype = self.param_dtype if self.casts_params else flat_param.dtype
        flat_param._full_param_padded = torch.empty(numel, device=self.device, dtype=dtype)
        self.padded_size = flat_param._padded_unsharded_size = flat_param._full_param_padded.size()
        _free(flat_param._full_param_padded)
        if self.casts_params:
            flat_param._full_prec_full_param_padded = torch.empty(numel, device=self.device, dtype=flat_param.dtype)
            _free(flat_param._full_prec_full_param_padded)

    # --- gathering

    def pre_unshard(self) -> bool:
        """Prepares the shard on the device: cast, or copied from the host. Whether there was anything to do."""
        if self.state == HandleTrainingState.SUMMON_FULL_PARAMS and self.skipped_views_of is not None:
            self.set_sharded_views()
        done = self.write_back() if self.use_orig_params else False
        if self.sharded and not self.offloaded and not self.needs_unshard():
            return done
        flat_param = self.flat_param
        if self.casts_params and not self.in_full_precision:
            _alloc(flat_param._mp_shard, flat_param._local_shard.numel())
            flat_param._mp_shard.copy_(flat_param._local_shard.to(self.device, non_blocking=True))
            flat_param.data = flat_param._mp_shard
            return True
        if self.offloaded and flat_param.device != self.device:
            self.move(self.device, non_blocking=True)
            return True
        return done

    def unshard(self) -> None:
        if not self.needs_unshard():
            self._use_whole(self._whole() if self.sharded else self.flat_param)
            return
        whole = self._alloc_whole()
        self._gather_into(whole)
        self._use_whole(whole)

    def needs_unshard(self) -> bool:
        if not self.sharded:
            return False
        whole = self._whole()
        return whole.untyped_storage().size() != whole.numel() * whole.itemsize

    def _whole(self):
        flat_param = self.flat_param
        if self.in_full_precision and self.casts_params:
            _free(flat_param._full_param_padded)
            return flat_param._full_prec_full_param_padded
        return flat_param._full_param_padded

    def _alloc_whole(self):
        whole = self._whole()
        _alloc(whole, self.padded_size.numel())
        torch._C.tag(whole, "gathered_parameter")
        return whole

    def _gather_into(self, whole):
        shard = self.flat_param.data
        if shard.is_cpu:
            dist.all_gather(list(torch.chunk(whole, self.world_size)), shard, group=self.process_group)
        else:
            dist.all_gather_into_tensor(whole, shard, self.process_group)
        if self.offloaded:
            record_stream(shard, torch.cuda.current_stream())

    def _use_whole(self, whole):
        self.flat_param.data = whole[: self.unsharded_size.numel()]
        in_forward = self.state == HandleTrainingState.FORWARD
        in_pre_backward = self.state == HandleTrainingState.BACKWARD_PRE
        if self.use_orig_params:
            if self.skipped_views_of is not None and in_pre_backward:
                return
            self.set_unsharded_views(as_params=not in_forward and not in_pre_backward)
        elif in_forward:
            self.set_unsharded_views(as_params=False)

    def post_unshard(self) -> None:
        if self.casts_params and self.sharded:
            self._free_cast_shard()

    def _free_cast_shard(self):
        record_stream(self.flat_param._mp_shard, torch.cuda.current_stream())
        _free(self.flat_param._mp_shard)

    # --- back to the shard

    def reshard(self, free_whole: Any) -> None:
        self._use_shard()
        if free_whole:
            self._free_whole()

    def post_reshard(self) -> None:
        if self.casts_params and not self.sharded and not self.in_full_precision:
            self._free_cast_shard()

    def _free_whole(self):
        whole = self._whole()
        record_stream(whole, torch.cuda.current_stream())
        _free(whole)

    def _use_shard(self):
        flat_param = self.flat_param
        if not self.use_orig_params:
            flat_param.data = flat_param._local_shard
            return
        in_forward = self.state == HandleTrainingState.FORWARD
        skips = torch.is_grad_enabled() and in_forward and self.strategy in _WHOLE_AFTER_FORWARD
        whole = flat_param.data if skips else None
        flat_param.data = flat_param._local_shard
        if skips:
            self.skipped_views_of = whole
        else:
            self.set_sharded_views()
        if in_forward and self.skipped_views_of is None:
            grad = flat_param.grad
            if grad is not None and self.sharded and grad.shape == self.unsharded_size:
                self.set_unsharded_grad_views()
            else:
                self.set_sharded_grad_views()

    # --- gradients

    def prepare_for_backward(self) -> None:
        """Puts the gradient of earlier passes aside, so that a whole one can be accumulated."""
        flat_param = self.flat_param
        grad = flat_param.grad
        if grad is None or (grad.size() == self.unsharded_size and grad.device == flat_param.device):
            return
        if grad.size() == flat_param._local_shard.size():
            if grad.device == self.device:
                flat_param._saved_grad_shard = grad.data
                kept = flat_param._saved_grad_shard
            else:
                kept = flat_param._cpu_grad
            if self.keep_low_precision_grads and kept.dtype != flat_param._local_shard.dtype:
                kept.data = kept.to(flat_param._local_shard.dtype)
        flat_param.grad = None

    def prepare_for_optimizer(self) -> None:
        flat_param = self.flat_param
        if hasattr(flat_param, "_cpu_grad"):
            flat_param.grad = flat_param._cpu_grad
            self._cast_kept_grad()
        elif hasattr(flat_param, "_saved_grad_shard") and flat_param._post_backward_called:
            flat_param.grad = flat_param._saved_grad_shard
            if flat_param.grad is not None:
                self._cast_kept_grad()
        if hasattr(flat_param, "_saved_grad_shard"):
            del flat_param._saved_grad_shard

    def _cast_kept_grad(self):
        grad = self.flat_param.grad
        if not self.in_full_precision and self.keep_low_precision_grads and grad.dtype != self.param_dtype:
            self.flat_param.grad.data = grad.to(self.param_dtype)
            if self.use_orig_params:
                self.set_sharded_grad_views()

    @property
    def sharded_grad(self) -> Tensor | None:
        flat_param = self.flat_param
        if hasattr(flat_param, "_cpu_grad"):
            return flat_param._cpu_grad
        return flat_param._saved_grad_shard if hasattr(flat_param, "_saved_grad_shard") else flat_param.grad

    @torch.no_grad()
    def unshard_grad(self) -> None:
        if not self.sharded:
            self.set_unsharded_grad_views()
            return
        flat_param = self.flat_param
        missing = torch.zeros(1, dtype=torch.int32, device=self.device)
        missing[0] = flat_param.grad is None
        dist.all_reduce(missing, group=self.process_group)
        missing[0] == self.world_size  # read on the host; ranks are taken as alike
        flat_param._saved_grad_shard = flat_param.grad
        if flat_param.grad is None:
            self.set_unsharded_grad_views()
            return
        shard = flat_param._saved_grad_shard
        padded = torch.empty(self.padded_size, device=self.device, dtype=shard.dtype)
        dist.all_gather_into_tensor(padded, shard, self.process_group)
        flat_param.grad = padded[: self.unsharded_size.numel()].view(self.unsharded_size)
        self.set_unsharded_grad_views()

    def reshard_grad(self) -> None:
        if self.use_orig_params:
            self.set_sharded_grad_views()
        if self.sharded:
            self.flat_param.grad = self.flat_param._saved_grad_shard
            del self.flat_param._saved_grad_shard

    # --- elsewhere

    def move(self, *args: Any, **kwargs: Any) -> None:
        self.flat_param.data = self.flat_param.to(*args, **kwargs)
        if self.use_orig_params:
            if self.is_sharded(self.flat_param):
                self.set_sharded_views()
            else:
                self.set_unsharded_views(as_params=True)

    def is_sharded(self, tensor: Tensor) -> bool:
        return self.sharded and hasattr(self, "sharded_size") and tensor.size() == self.sharded_size

    @contextlib.contextmanager
    def on_host(self) -> Iterator:
        """The gathered parameter on the host, its memory on the device given back meanwhile."""
        if self.flat_param.device == _HOST:
            yield
            return
        self.move(_HOST)
        self._free_whole()
        try:
            yield
        finally:
            whole = self._alloc_whole()
            whole[: self.flat_param.numel()].copy_(self.flat_param)
            self._use_whole(whole)

    @torch.no_grad()
    def write_to_shard(self, with_grad: Any) -> None:
        """Takes over what was changed while the parameter was gathered."""
        part = self._own_part(self.flat_param)
        self.flat_param._local_shard[: part.numel()].copy_(part)
        if with_grad and (kept := self.sharded_grad) is not None:
            part = self._own_part(self.flat_param.grad)
            kept[: part.numel()].copy_(part)

    def _own_part(self, tensor):
        return unpadded_shard(tensor, self.rank, self.world_size)[0] if self.sharded else tensor


_WHOLE_AFTER_FORWARD = (ShardingStrategy.SHARD_GRAD_OP, ShardingStrategy._HYBRID_SHARD_ZERO2)
