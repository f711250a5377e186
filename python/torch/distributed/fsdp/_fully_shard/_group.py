"""Parameters that communicate together, and the streams and states that all groups of a model share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import _C
from torch.autograd import Function

from ._api import CPUOffloadPolicy, apply_to_tensors, differentiable_tensors
from ._collectives import AllGatherResult, foreach_all_gather, foreach_all_gather_copy_out, foreach_reduce
from ._param import SHARDED, SHARDED_POST_FORWARD, UNSHARDED, FSDPParam, alloc_storage

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch.distributed.fsdp._fully_shard._api import MixedPrecisionPolicy
    from torch.distributed.fsdp._fully_shard._api import OffloadPolicy


IDLE, FORWARD, PRE_BACKWARD, POST_BACKWARD = "IDLE", "FORWARD", "PRE_BACKWARD", "POST_BACKWARD"


class CommContext:
    """Streams, and results of collectives that live across groups."""

    def __init__(self) -> None:
        self.streams_made = False
        self.all_gather_state = None
        self.reduce_scatter_states = []
        self.max_input_buffers = 1
        self.post_forward_order = []

    def lazy_init(self) -> None:
        high = -1
        self.all_gather_copy_in_stream = torch.cuda.Stream(priority=high)
        self.all_gather_stream = torch.cuda.Stream(priority=high)
        self.reduce_scatter_stream = torch.cuda.Stream(priority=high)
        self.all_reduce_stream = torch.cuda.Stream()
        self.streams_made = True

    def all_gather_streams(self, async_op: bool, state: Any) -> tuple:
        if not async_op and state in (FORWARD, PRE_BACKWARD):
            return self.all_gather_copy_in_stream, self.all_gather_stream
        current = torch.cuda.current_stream()
        return current, current


def _places_of(params, modules):
    """Where each parameter is registered; shared ones are in several places."""
    wanted = {id(p) for p in params}
    module_infos = {}
    for module in modules:
        for _, part in module.named_modules(remove_duplicate=False):
            for name, param in part._parameters.items():
                if param is not None and id(param) in wanted and (part, name) not in module_infos.get(id(param), ()):
                    module_infos.setdefault(id(param), []).append((part, name))
    return [module_infos[id(p)] for p in params]


class FSDPParamGroup:
    """One all-gather and one reduce-scatter for some parameters."""

    def __init__(
        self,
        params: list[torch.nn.Parameter],
        modules: tuple[torch.nn.Module, ...],
        info: Any,
        post_forward_info: Any,
        device: torch.device,
        shard_placement_fn: Callable | None,
        mp_policy: MixedPrecisionPolicy,
        offload_policy: OffloadPolicy,
    ) -> None:
        self.modules = modules
        self.fsdp_params = [
            FSDPParam(
                param, module_infos, info, post_forward_info, device, shard_placement_fn, mp_policy, offload_policy
            )
            for param, module_infos in zip(params, _places_of(params, modules))
        ]
        self.info = self.fsdp_params[0].info
        self.post_forward_info, self.device = post_forward_info, device
        self.mp_policy, self.offload_policy = mp_policy, offload_policy
        self.state, self.sharded_state = IDLE, SHARDED
        self._module_fqn, self._reset_done = None, False
        self.all_reduce_hook = self.all_reduce_hook_stream = None
        self._no_output = torch.empty(0, device=device)
        self.comm = CommContext()
        self.index, self.count = 0, 1
        self._post_forward_indices = []
        self.reduce_grads = self.all_reduce_grads = self.reshard_after_backward = True
        self.max_input_buffers = 1
        self.gradient_divide_factor = None
        self.reduce_unused = self.force_sum = self.unshard_async_op = False
        self.unshard_in_backward = True
        self.own_reduce_group = None
        self._result = self._partial_output = self._all_reduce_state = None
        self._handles = []

    @property
    def reduce_group(self) -> Any:
        return self.own_reduce_group or self.info.shard_group

    def lazy_init(self) -> None:
        if self.sharded_state == SHARDED and not self._reset_done:
            for param in self.fsdp_params:
                param.reset_sharded_param()
            self._reset_done = True
        on_meta = [p._fqn for p in self.fsdp_params if p.sharded_param.device.type == "meta"]
        if on_meta:
            raise RuntimeError(
                "FSDP parameters should be materialized from meta device before training, "
                f"but the following were still on meta device: {on_meta}\n"
                "For example, call module.to_empty(device) to materialize to device and "
                "call module.reset_parameters() on each module to initialize values."
            )
        if isinstance(self.offload_policy, CPUOffloadPolicy):
            away = [(p._fqn, p.sharded_param.device) for p in self.fsdp_params if p.sharded_param.device.type != "cpu"]
            if away:
                raise RuntimeError(
                    "FSDP parameters should be materialized on CPU when enabling CPU offloading. "
                    'For example, load a CPU state dict or call module.to_empty(device="cpu"). '
                    f"Found following parameters on non-CPU device: {away}\n"
                )
        self._init_dtypes()
        if not self._handles:
            for module in {id(p.module_infos[0][0]): p.module_infos[0][0] for p in self.fsdp_params}.values():
                self._handles.append(module.register_state_dict_pre_hook(lambda *_, **__: self._to_sharded()))
                self._handles.append(module._register_load_state_dict_pre_hook(lambda *_, **__: self._to_sharded()))

    def _init_dtypes(self):
        for param in self.fsdp_params:
            param.init_dtype_attrs(self.mp_policy)
        trained = [p for p in self.fsdp_params if p.sharded_param.requires_grad]
        counted = trained or [p for p in self.fsdp_params if p.orig_dtype.is_floating_point]
        orig, reduce = {p.orig_dtype for p in counted}, {p.reduce_dtype for p in counted}
        if trained and len(orig) != 1:
            raise AssertionError(f"FSDP expects uniform original parameter dtype but got {orig}")
        if trained and len(reduce) != 1:
            raise AssertionError(f"FSDP expects uniform reduce dtype but got {reduce}")
        uniform = len(orig) == 1 and len(reduce) == 1
        self.orig_dtype = next(iter(orig)) if uniform else None
        self.reduce_dtype = next(iter(reduce)) if uniform else None

    # --- gathering

    @property
    def _gather_group(self):
        info = self.post_forward_info if self.sharded_state == SHARDED_POST_FORWARD else self.info
        return info.shard_group

    def _world_size(self):
        return self._gather_group.size() if self.info.shards else 1

    def unshard(self, async_op: bool = False) -> None:
        if self._result is not None or self.sharded_state == UNSHARDED:
            return
        if not self.unshard_in_backward and self.state == PRE_BACKWARD:
            return
        if self._world_size() == 1:
            self._result = AllGatherResult(self._no_output, None, [], [], [])
            return
        streams = self.comm.all_gather_streams(async_op, self.state)
        self._result = foreach_all_gather(self.fsdp_params, self._gather_group, async_op, *streams, self.device)

    def wait_for_unshard(self) -> None:
        if not self._result:
            return
        async_op = self._result.work is not None
        if self.state == FORWARD:
            # this name holds the gather before this one until the function returns
            if prev_all_gather_state := self.comm.all_gather_state:  # noqa: F841
                self.comm.all_gather_state = None
        world_size = self._world_size()
        if world_size == 1:
            for param in self.fsdp_params:
                all_gather_input = param.all_gather_inputs[0]
                param.init_all_gather_outputs([all_gather_input.numel()], [all_gather_input.dtype], world_size)
                tensor = param.all_gather_outputs[0]
                alloc_storage(tensor)
                # those who saved the parameter are to find what they saved
                with torch.autograd._unsafe_preserve_version_counter(tensor), torch.no_grad():
                    tensor.copy_(all_gather_input)
        else:
            foreach_all_gather_copy_out(self._result, self.fsdp_params, self._gather_group)
        for param in self.fsdp_params:
            param.init_unsharded_param()
        if self.sharded_state != UNSHARDED:
            for param in self.fsdp_params:
                param.to_unsharded()
            self.sharded_state = UNSHARDED
        if not async_op and self.state == FORWARD and world_size > 1:
            self.comm.all_gather_state = self._result
        self._result = None

    def reshard(self) -> None:
        if self.state == FORWARD:
            if self.post_forward_info is None:
                return
            if self.post_forward_info is not self.info:
                if self.sharded_state != SHARDED_POST_FORWARD:
                    for param in self.fsdp_params:
                        param.to_sharded_post_forward()
                    self.sharded_state = SHARDED_POST_FORWARD
                return
        self._to_sharded()

    def _to_sharded(self):
        if self.sharded_state != SHARDED:
            for param in self.fsdp_params:
                param.to_sharded()
            self.sharded_state = SHARDED

    # --- forward and backward

    def pre_forward(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        entering = self.state != FORWARD
        self.state = FORWARD
        self.unshard(self.unshard_async_op)
        self.wait_for_unshard()
        return self._with_post_backward(args, kwargs) if entering else (args, kwargs)

    def post_forward(self) -> None:
        if not _C._graph_tasks:
            self.reshard()
            self._post_forward_indices.append(len(self.comm.post_forward_order))
            self.comm.post_forward_order.append(self)
        self.state = IDLE

    def pre_backward(self, default_prefetch: bool) -> None:
        if self.state == PRE_BACKWARD:
            return
        self.state = PRE_BACKWARD
        self.unshard(self.unshard_async_op)
        self.wait_for_unshard()
        if default_prefetch:
            self._backward_prefetch()

    def post_backward(self) -> None:
        self.state = POST_BACKWARD
        for param in self.fsdp_params:
            param.accumulate_unsharded_grad_if_needed()
        if not self.reduce_grads:
            if self.reshard_after_backward:
                self.reshard()
            for param in self.fsdp_params:
                param.to_accumulated_grad_if_needed()
            return
        with_grad, unsharded_grads = [], []
        for param in self.fsdp_params:
            if not hasattr(param, "_unsharded_param"):
                continue
            if param.unsharded_accumulated_grad is not None:
                with_grad.append(param)
                unsharded_grads.append(param.inner_grad(param.unsharded_accumulated_grad))
                param.unsharded_accumulated_grad = None
            elif param.unsharded_param.grad is not None:
                with_grad.append(param)
                unsharded_grads.append(param.inner_grad(param.unsharded_param.grad))
                param.unsharded_param.grad = None
            elif self.reduce_unused and param.unsharded_param.requires_grad:
                with_grad.append(param)
                unsharded_grads.append(param.inner_grad(torch.zeros_like(param.unsharded_param)))
        if self.reshard_after_backward:
            self.reshard()
        states = self.comm.reduce_scatter_states
        if self.index == self.count - 1:
            while len(states) >= self.comm.max_input_buffers:
                states.pop(0)
        if not with_grad:
            return
        self._all_reduce_state = None
        reduced = foreach_reduce(with_grad, unsharded_grads, self, self._partial_output)
        self._partial_output = reduced.partial_output
        states.append(reduced.input)
        if reduced.all_reduce_input is not None:
            self._all_reduce_state = reduced.all_reduce_input

    def finalize_backward(self) -> None:
        self._all_reduce_state = None
        if self._result is not None:
            if self._result.work is not None:
                self._result.work.wait()
            self._result = None
        self._post_forward_indices.clear()

    def _backward_prefetch(self):
        if not self._post_forward_indices:
            return
        current = self._post_forward_indices.pop()
        order = self.comm.post_forward_order
        if self.count > 1:
            if self.index != 1:
                return
            wanted = None
            for step in range(1, current + 1):
                target = order[current - step]
                if target.modules is self.modules:
                    continue
                if wanted is None:
                    wanted = target.modules
                elif target.modules is not wanted:
                    break
                target.prefetch(PRE_BACKWARD)
        elif current > 0:
            order[current - 1].prefetch(PRE_BACKWARD)

    def prefetch(self, state: Any) -> None:
        before, self.state = self.state, state
        try:
            self.unshard(self.unshard_async_op)
        finally:
            self.state = before

    def _with_post_backward(self, args, kwargs):
        if not torch.is_grad_enabled():
            return args, kwargs
        tensors = differentiable_tensors((args, kwargs))
        if not tensors:
            return args, kwargs
        out = iter(_PostBackward.apply(self, *tensors))
        return apply_to_tensors(lambda t: next(out) if t.requires_grad else t, (args, kwargs))


class _PostBackward(Function):
    """When the gradients of a module's inputs are there, its parameters' gradients are."""

    @staticmethod
    def forward(ctx: Any, group: torch.distributed.ProcessGroup, *inputs: Any) -> Any:
        ctx.group = group
        return inputs

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        ctx.group.post_backward()
        return (None,) + grads
