"""FullyShardedDataParallel (FSDP1): a wrapper whose parameters are one flat tensor, shared out over ranks."""

from __future__ import annotations

import contextlib
import math
import warnings
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import ActivationWrapper

from . import _init, _lazy, _runtime, _state_dicts, _summon
from ._auto_wrap import auto_wrap
from ._flat_layout import FlatParameter
from ._optim_states import OptimStates
from ._order import ExecutionOrder
from ._states import (
    FLAT_PARAM,
    FSDP_PREFIX,
    FSDP_WRAPPED_MODULE,
    TrainingState,
    clean_tensor_name,
    state_of,
    states_below,
)
from .api import (
    HYBRID,
    BackwardPrefetch,
    CPUOffload,
    FullOptimStateDictConfig,
    FullStateDictConfig,
    LocalOptimStateDictConfig,
    LocalStateDictConfig,
    MixedPrecision,
    OptimStateDictConfig,
    OptimStateKeyType,
    ShardedOptimStateDictConfig,
    ShardedStateDictConfig,
    ShardingStrategy,
    StateDictConfig,
    StateDictSettings,
    StateDictType,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from torch import Tensor
    from torch.distributed.fsdp.wrap import CustomPolicy
    from torch.distributed.device_mesh import DeviceMesh
    from torch.distributed.fsdp.wrap import ModuleWrapPolicy


class FullyShardedDataParallel(OptimStates, nn.Module):
    """Wraps a module; parameters that no inner instance has become one flat parameter."""

    _is_fsdp_instance = True

    def __init__(
        self,
        module: torch.nn.Module,
        process_group: torch.distributed.ProcessGroup | None = None,
        sharding_strategy: ShardingStrategy | None = None,
        cpu_offload: CPUOffload | None = None,
        auto_wrap_policy: Callable | ModuleWrapPolicy | CustomPolicy | None = None,
        backward_prefetch: BackwardPrefetch | None = BackwardPrefetch.BACKWARD_PRE,
        mixed_precision: MixedPrecision | None = None,
        ignored_modules: Iterable[torch.nn.Module] | None = None,
        param_init_fn: Callable[[torch.nn.Module], None] | None = None,
        device_id: int | torch.device | None = None,
        sync_module_states: bool = False,
        forward_prefetch: bool = False,
        limit_all_gathers: bool = True,
        use_orig_params: bool = False,
        ignored_states: Iterable[torch.nn.Parameter] | Iterable[torch.nn.Module] | None = None,
        device_mesh: DeviceMesh | None = None,
    ) -> None:
        super().__init__()
        _init.init_ignored(self, module, ignored_modules, ignored_states)
        self._device_mesh = device_mesh
        _init.init_groups(self, process_group, sharding_strategy, auto_wrap_policy, device_mesh)
        if auto_wrap_policy is not None:
            shared = {
                "process_group": process_group,
                "sharding_strategy": sharding_strategy,
                "cpu_offload": cpu_offload,
                "backward_prefetch": backward_prefetch,
                "mixed_precision": mixed_precision,
                "param_init_fn": param_init_fn,
                "device_id": device_id,
                "sync_module_states": sync_module_states,
                "forward_prefetch": forward_prefetch,
                "limit_all_gathers": limit_all_gathers,
                "use_orig_params": use_orig_params,
                "ignored_states": self._ignored_params,
                "device_mesh": device_mesh,
            }
            if sharding_strategy in HYBRID and device_mesh is None:
                shared["process_group"] = (self.process_group, self._inter_node_pg)
            auto_wrap(
                module,
                auto_wrap_policy,
                self._ignored_modules,
                self._ignored_params,
                shared,
                FullyShardedDataParallel,
            )
        self.sharding_strategy = _init.strategy_for(self.world_size, sharding_strategy)
        self.mixed_precision = mixed_precision or MixedPrecision()
        self.cpu_offload = cpu_offload or CPUOffload()
        self.limit_all_gathers, self._use_orig_params = limit_all_gathers, use_orig_params
        self.backward_prefetch, self.forward_prefetch = backward_prefetch, forward_prefetch
        self.training_state = TrainingState.IDLE
        self._is_root, self._handle, self.params = None, None, []
        self._order = ExecutionOrder()
        self._sync_gradients, self._callback_queued = True, False
        self._comm_hook = self._comm_hook_state = None
        self._buffer_dtypes = {clean_tensor_name(name): b.dtype for name, b in module.named_buffers()}
        _init.init_handle(self, module, device_id, param_init_fn, sync_module_states)
        self._fsdp_wrapped_module = module
        if not use_orig_params:
            for name, param in self.named_parameters():
                if param not in self._ignored_params and not isinstance(param, FlatParameter):
                    raise RuntimeError(f"Found an unflattened parameter: {name}; {param.size()} {param.__class__}")
            _summon.register_flat_param(self)
        _state_dicts.register(self)
        self._zero_scalar = None

    # --- the wrapped module

    @property
    def module(self) -> torch.nn.Module:
        inner = self._fsdp_wrapped_module
        return inner._checkpoint_wrapped_module if isinstance(inner, ActivationWrapper) else inner

    @property
    def _has_params(self):
        return getattr(self, "_handle", None) is not None

    @property
    def _flat_param(self):
        return self._handle.flat_param if self._handle else None

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(super().__getattr__(FSDP_WRAPPED_MODULE), name)

    def __getitem__(self, key: int) -> Any:
        return self._fsdp_wrapped_module[key]

    def check_is_root(self) -> bool:
        _lazy.lazy_init(self)
        return self._is_root

    @staticmethod
    def fsdp_modules(module: torch.nn.Module, root_only: bool = False) -> list[FullyShardedDataParallel]:
        found = states_below(module)
        return [state for state in found if state.check_is_root()] if root_only else found

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = _runtime.root_pre_forward(self, args, kwargs)
        handle = self._handle
        args, kwargs = _runtime.pre_forward(self, handle, args, kwargs)
        output = self._fsdp_wrapped_module(*args, **kwargs)
        return _runtime.post_forward(self, handle, output)

    def named_parameters(self, *args: Any, **kwargs: Any) -> Iterator[tuple[str, torch.nn.Parameter]]:
        clean = self.training_state == TrainingState.SUMMON_FULL_PARAMS
        for name, param in super().named_parameters(*args, **kwargs):
            yield (name.replace(FSDP_PREFIX, "") if clean else name), param

    def named_buffers(self, *args: Any, **kwargs: Any) -> Iterator[tuple[str, Tensor]]:
        clean = self.training_state == TrainingState.SUMMON_FULL_PARAMS
        for name, buffer in super().named_buffers(*args, **kwargs):
            yield (name.replace(FSDP_PREFIX, "") if clean else name), buffer

    def apply(self, fn: Callable[[torch.nn.Module], None]) -> FullyShardedDataParallel:
        first = self._is_root is None
        with _summon.unsharded_for_summon(self, True, False, False, False):
            result = super().apply(fn)
        if first and self._is_root:
            for state in states_below(self):
                state._is_root = None
        return result

    def _apply(self, *args, **kwargs):
        if not self._use_orig_params:
            return super()._apply(*args, **kwargs)
        states = [state for state in states_below(self) if state._handle is not None]
        for state in states:
            state._handle.deregister_orig_params()
            _summon.register_flat_param(state)
        try:
            return super()._apply(*args, **kwargs)
        finally:
            for state in states:
                _summon.deregister_flat_param(state)
                if state._handle.is_sharded(state._handle.flat_param):
                    state._handle.set_sharded_views()
                    state._handle.set_sharded_grad_views()
                else:
                    state._handle.set_unsharded_views(as_params=True)

    # --- gathered parameters, accumulation, clipping

    @staticmethod
    @contextlib.contextmanager
    def summon_full_params(
        module: torch.nn.Module,
        recurse: bool = True,
        writeback: bool = True,
        rank0_only: bool = False,
        offload_to_cpu: bool = False,
        with_grads: bool = False,
    ) -> Iterator:
        states = states_below(module) if recurse else [s for s in (state_of(module),) if s is not None]
        with contextlib.ExitStack() as stack:
            for state in states:
                stack.enter_context(
                    _summon.unsharded_for_summon(state, writeback, rank0_only, offload_to_cpu, with_grads)
                )
            yield

    @contextlib.contextmanager
    def no_sync(self) -> Iterator:
        _lazy.lazy_init(self)
        if not self._is_root:
            raise RuntimeError(
                "`no_sync()` on inner FSDP instances is not supported. Please call `no_sync()` on root FSDP module."
            )
        self._assert_idle()
        states = [m for m in self.modules() if isinstance(m, FullyShardedDataParallel)]
        flags = [state._sync_gradients for state in states]
        for state in states:
            state._sync_gradients = False
        try:
            yield
        finally:
            for state, flag in zip(states, flags):
                state._sync_gradients = flag

    def _assert_idle(self):
        if self.training_state != TrainingState.IDLE:
            raise ValueError(
                f"expected to be in states {[TrainingState.IDLE]} but current state is {self.training_state}"
            )

    @torch.no_grad()
    def clip_grad_norm_(self, max_norm: float | int, norm_type: float | int = 2.0) -> Tensor:
        _lazy.lazy_init(self)
        if not self._is_root:
            raise RuntimeError("`clip_grad_norm_()` should only be called on the root FSDP instance")
        if self._zero_scalar is None:
            self._zero_scalar = torch.tensor(0.0, device=self.compute_device)
        self._assert_idle()
        if all(not handle.sharded for handle in self._all_handles):
            return torch.nn.utils.clip_grad_norm_(self.parameters(), max_norm, norm_type)
        max_norm, norm_type = float(max_norm), float(norm_type)
        sharded, whole = {}, {}
        for handle in self._all_handles:
            params = handle.layout.params if handle.use_orig_params else [handle.flat_param]
            (sharded if handle.sharded else whole).update(dict.fromkeys(params))
        whole.update(dict.fromkeys(p for p in self.parameters() if p not in sharded and p not in whole))
        grads = [p.grad for p in (*sharded, *whole) if p.grad is not None]
        own = _norm_of_grads(sharded, norm_type, self._zero_scalar, self.compute_device)
        same = _norm_of_grads(whole, norm_type, self._zero_scalar, self.compute_device) if whole else None
        if norm_type == math.inf:
            total = own if same is None else torch.maximum(own, same)
            dist.all_reduce(total, op=dist.ReduceOp.MAX, group=self.process_group)
        else:
            total = own**norm_type
            dist.all_reduce(total, group=self.process_group)
            if same is not None:
                total += same**norm_type
            total = total ** (1.0 / norm_type)
        if self.cpu_offload.offload_params:
            total = total.cpu()
        factor = max_norm / (total + 1e-6)
        clamped = torch.clamp(factor, max=1.0)
        for grad in grads:
            grad.mul_(clamped.to(grad.device, grad.dtype))
        if not grads:
            warnings.warn(
                f"Called FSDP.clip_grad_norm_() on rank {self.rank} with no gradients -- "
                f"returning the total norm in the default dtype {total.dtype}"
            )
            return total
        dtype = grads[0].dtype
        for grad in grads[1:]:
            dtype = torch.promote_types(dtype, grad.dtype)
        return total.to(dtype)

    def register_comm_hook(self, state: object, hook: Callable) -> None:
        if not self.check_is_root():
            raise AssertionError("register_comm_hook can only be called on a root instance.")
        for inner in states_below(self):
            if inner.sharding_strategy in HYBRID:
                raise AssertionError(
                    f"Communication hook is not supported for hybrid strategy {inner.sharding_strategy}"
                )
            if inner._comm_hook is not None:
                raise AssertionError("A communication hook is already registered")
            inner._comm_hook, inner._comm_hook_state = hook, state

    # --- state dicts

    @staticmethod
    def set_state_dict_type(
        module: torch.nn.Module,
        state_dict_type: StateDictType,
        state_dict_config: StateDictConfig | None = None,
        optim_state_dict_config: OptimStateDictConfig | None = None,
    ) -> StateDictSettings:
        return _state_dicts.set_type(module, state_dict_type, state_dict_config, optim_state_dict_config)

    @staticmethod
    def get_state_dict_type(module: torch.nn.Module) -> StateDictSettings:
        return _state_dicts.get_type(module)

    @staticmethod
    @contextlib.contextmanager
    def state_dict_type(
        module: torch.nn.Module,
        state_dict_type: StateDictType,
        state_dict_config: StateDictConfig | None = None,
        optim_state_dict_config: OptimStateDictConfig | None = None,
    ) -> Iterator:
        before = _state_dicts.set_type(module, state_dict_type, state_dict_config, optim_state_dict_config)
        yield
        _state_dicts.set_type(module, before.state_dict_type, before.state_dict_config, before.optim_state_dict_config)


def _norm_of_grads(params, norm_type, zero, device):
    grads = [p.grad for p in params if p.grad is not None]
    if not grads:
        return zero
    total = torch.linalg.vector_norm(
        torch.stack([torch.linalg.vector_norm(grad.detach(), norm_type, dtype=torch.float32) for grad in grads]),
        norm_type,
        dtype=torch.float32,
    )
    return total.to(device=device)
