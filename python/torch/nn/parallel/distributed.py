"""DistributedDataParallel: every rank has the whole model, and gradients are averaged in buckets."""

from __future__ import annotations

import contextlib
import weakref
from typing import TYPE_CHECKING

import torch
from torch import _C
from torch.autograd import Function
from torch.distributed.algorithms.join import Join, Joinable

from ..modules.module import Module
from ._join import DDPJoinHook, announce_synchronization, common_rank
from ._reducer import (
    FIRST_BUCKET_BYTES,
    NO_LIMIT,
    Reducer,
    assign_buckets,
    broadcast_coalesced,
    verify_parameter_shapes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


_BROADCAST_BYTES = 250 << 20


def _tensors_in(value, found):
    if isinstance(value, torch.Tensor):
        found.append(value)
    elif isinstance(value, dict):
        for item in value.values():
            _tensors_in(item, found)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _tensors_in(item, found)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            _tensors_in(getattr(value, name), found)
    return found


def _mapped(value, replacements):
    """The same structure, with each tensor taken from the iterator."""
    if isinstance(value, torch.Tensor):
        return next(replacements)
    if isinstance(value, dict):
        made = value.copy()
        for key, item in value.items():
            made[key] = _mapped(item, replacements)
        return made
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_mapped(item, replacements) for item in value])
    if isinstance(value, (list, tuple)):
        return type(value)(_mapped(item, replacements) for item in value)
    if hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            setattr(value, name, _mapped(getattr(value, name), replacements))
    return value


class _Sink(Function):
    """Outputs go through here where the reducer must hear of the beginning of backward; they are copies."""

    @staticmethod
    def forward(ctx: Any, ddp: Any, *inputs: Any) -> tuple:
        ctx.set_materialize_grads(False)
        ctx.ddp = ddp
        return tuple(t.clone() for t in inputs) if ddp()._ddp_sink_clone else inputs

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple:
        ddp = ctx.ddp()
        # here and not at the first gradient, which may come in a backward inside of this one (reentrant checkpoints)
        if ddp.static_graph and not ddp._has_gone_back:
            _C.queue_callback(ddp.reducer.reduce_all)
        ddp._has_gone_back = True
        return (None, *grads)


def _to(value, device):
    if isinstance(value, torch.Tensor):
        return value.to(device)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_to(item, device) for item in value])
    if isinstance(value, (list, tuple)):
        return type(value)(_to(item, device) for item in value)
    if isinstance(value, dict):
        return {key: _to(item, device) for key, item in value.items()}
    return value


class DistributedDataParallel(Module, Joinable):
    """The module of this rank, with its gradients averaged over the group."""

    def __init__(
        self, module: torch.nn.Module, device_ids: Any=None, output_device: Any=None, dim: int=0, broadcast_buffers: Any=None, init_sync: bool=True, process_group: torch.distributed.ProcessGroup | None=None,
        bucket_cap_mb: Any=None, find_unused_parameters: bool=False, check_reduction: bool=False, gradient_as_bucket_view: bool=False,
        static_graph: bool=False, delay_all_reduce_named_params: Any=None, param_to_hook_all_reduce: Any=None, mixed_precision: Any=None,
        device_mesh: Any=None, skip_all_reduce_unused_params: bool=False, bucket_cap_mb_list: list[int] | None=None, batched_grad_copy: bool=False,
        forward_sync_buffers: bool | None=None,
    ) -> None:  # fmt: skip
        super().__init__()
        import torch.distributed as dist
        from torch.distributed._ignored import ignored

        ignored(
            "DistributedDataParallel",
            delay_all_reduce_named_params=delay_all_reduce_named_params,
            skip_all_reduce_unused_params=skip_all_reduce_unused_params or None,
            bucket_cap_mb_list=bucket_cap_mb_list,
            batched_grad_copy=batched_grad_copy or None,
        )

        self.process_group = (
            device_mesh.get_group()
            if device_mesh is not None
            else dist._get_default_group()
            if process_group is None
            else process_group
        )
        self._module_parameters = [p for n, p in module.named_parameters() if n not in _ignored(module)]
        trained = [p for p in self._module_parameters if p.requires_grad]
        if not trained:
            raise RuntimeError(
                "DistributedDataParallel is not needed when a module doesn't have any parameters that require a gradient."
            )
        if device_ids is not None and len(device_ids) > 1:
            raise ValueError("device_ids can only be None or contain a single element.")
        self.is_multi_device_module = False
        self.device_ids = (
            None
            if not device_ids
            else [torch.device("cuda", d) if isinstance(d, int) else torch.device(d) for d in device_ids]
        )
        self.output_device, self.dim, self.module = output_device, dim, module
        self.device = trained[0].device
        self.broadcast_buffers, self.static_graph = broadcast_buffers is not False, static_graph
        if forward_sync_buffers is not None:
            self.broadcast_buffers = forward_sync_buffers
        self.find_unused_parameters, self.gradient_as_bucket_view = find_unused_parameters, gradient_as_bucket_view
        self.require_backward_grad_sync = self.require_forward_param_sync = True
        self.mixed_precision = mixed_precision
        if mixed_precision is not None:
            raise NotImplementedError("DistributedDataParallel(mixed_precision=...) is not simulated: use autocast")
        if init_sync:
            verify_parameter_shapes(self.process_group, trained)
            # the older option leaves buffers alone from the beginning
            self._broadcast_states(with_buffers=forward_sync_buffers is not None or self.broadcast_buffers)
        cap = int((25 if bucket_cap_mb is None else bucket_cap_mb) * (1 << 20))
        first = FIRST_BUCKET_BYTES if bucket_cap_mb is None else cap
        limits = [NO_LIMIT] if static_graph or not find_unused_parameters else [first, cap]
        self.__dict__["reducer"] = Reducer(
            trained, list(reversed(assign_buckets(trained, limits))), self.process_group, first_cap=first, cap=cap,
            find_unused=find_unused_parameters, views=gradient_as_bucket_view, static_graph=static_graph,
        )  # fmt: skip
        self._has_gone_back, self._has_begun, self._ddp_sink_clone = False, False, True

    def _buffers_of_module(self):
        return [b for n, b in self.module.named_buffers() if n not in _ignored(self.module)]

    def _broadcast_states(self, with_buffers=None):
        """Parameters, and buffers with them, as one rank has them."""
        states = [p.detach() for p in self._module_parameters]
        if self.broadcast_buffers if with_buffers is None else with_buffers:
            states += [b.detach() for b in self._buffers_of_module()]
        with torch.no_grad():
            broadcast_coalesced(self.process_group, states, _BROADCAST_BYTES)

    def _syncs_buffers(self):
        return self.require_forward_param_sync and self.broadcast_buffers and bool(self._buffers_of_module())

    def _broadcast_buffers(self):
        with torch.no_grad():
            broadcast_coalesced(self.process_group, self._buffers_of_module(), _BROADCAST_BYTES)

    def _sync_buffers(self):
        if self._syncs_buffers():
            if self._join_config.enable:
                common_rank(self, True)
            self._broadcast_buffers()

    def _let_optimizers_step(self):
        """Parameters with optimizers of their own are stepped when their bucket is reduced."""
        from torch.distributed.algorithms.ddp_comm_hooks.optimizer_overlap_hooks import _apply_optim_in_backward_hook
        from torch.distributed.optim.apply_optimizer_in_backward import remove_hooks

        self._has_begun = True
        if any(hasattr(p, "_in_backward_optimizers") for p in self._module_parameters):
            remove_hooks(self._module_parameters)
            self.register_comm_hook(weakref.ref(self), _apply_optim_in_backward_hook(self.gradient_as_bucket_view))
            self.reducer.steps_itself = True

    def _pre_forward(self, *inputs, **kwargs):
        if not self._has_begun:
            self._let_optimizers_step()
        work = Join.notify_join_context(self)
        if work is not None:
            # stays until the next one is there
            self.reducer.forward_work = work
            del work
        if torch.is_grad_enabled():
            self.reducer.rebuild()
        self._sync_buffers()
        if self._join_config.enable:
            announce_synchronization(self, False)
        if self.device_ids:
            inputs, kwargs = _to(inputs, self.device_ids[0]), _to(kwargs, self.device_ids[0])
        return inputs, kwargs

    def _post_forward(self, output):
        tensors = _tensors_in(output, [])
        if torch.is_grad_enabled() and self.require_backward_grad_sync:
            self.require_forward_param_sync = True
            self.reducer.prepare(tensors if self.find_unused_parameters and not self.static_graph else None)
        else:
            self.require_forward_param_sync = False
        if self.find_unused_parameters if not self.static_graph else not self._has_gone_back:
            # all are copied, also without synchronization; those without history are given as they are
            through = zip(tensors, _Sink.apply(weakref.ref(self), *tensors))
            output = _mapped(output, iter([t if t.grad_fn is None else copied for t, copied in through]))
        return output

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        inputs, kwargs = self._pre_forward(*inputs, **kwargs)
        return self._post_forward(self.module(*inputs, **kwargs))

    @contextlib.contextmanager
    def no_sync(self) -> Iterator:
        before = self.require_backward_grad_sync
        self.require_backward_grad_sync = False
        self.reducer.expects_hooks = False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    def join(
        self, divide_by_initial_world_size: bool = True, enable: bool = True, throw_on_early_termination: bool = False
    ) -> Join:
        """Within it, ranks may have different numbers of inputs."""
        return Join([self], enable, throw_on_early_termination)

    def join_hook(self, **_: Any) -> DDPJoinHook:
        return DDPJoinHook(self)

    @property
    def join_device(self) -> torch.device:
        return self.device

    @property
    def join_process_group(self) -> torch.distributed.ProcessGroup:
        return self.process_group

    def register_comm_hook(self, state: object, hook: Callable) -> None:
        if not callable(hook):
            raise TypeError("Communication hook must be callable.")
        self.reducer.comm_hook = (state, hook)

    def _register_builtin_comm_hook(self, comm_hook_type):
        from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import BUILT_IN

        self.register_comm_hook(self.process_group, BUILT_IN[comm_hook_type.name])

    def _set_static_graph(self):
        self.static_graph = True
        self.reducer.make_static()

    def _get_ddp_logging_data(self):
        return {}

    @staticmethod
    def _set_params_and_buffers_to_ignore_for_model(module, names):
        module._ddp_params_and_buffers_to_ignore = names


def _ignored(module):
    return set(getattr(module, "_ddp_params_and_buffers_to_ignore", ()))
