"""The hooks of a module under fully_shard: gather before forward, gather before backward, reduce after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.autograd import graph

from ._api import apply_to_tensors, cast, differentiable_tensors
from ._group import FORWARD, IDLE, POST_BACKWARD, PRE_BACKWARD, CommContext
from ._param import UNSHARDED

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


class _SharedState:
    """What all states of one root share."""

    def __init__(self) -> None:
        self.all_states = []
        self.iter_forward_root = None
        self.callback_queued = False
        self.is_last_backward = True


class FSDPState:
    """One call of fully_shard: its modules and their groups of parameters."""

    def __init__(
        self, modules: Iterable[torch.nn.Module], device: torch.device | str | int, mp_policy: Any, auto_reshard: Any
    ) -> None:
        self.groups = []
        self.is_root = None
        self.shared, self.comm = _SharedState(), CommContext()
        self.state = IDLE
        self.forward_prefetch, self.backward_prefetch = [], []
        self.to_run = set()
        self.modules, self.device, self.mp_policy, self.auto_reshard = modules, device, mp_policy, auto_reshard
        for module in modules:
            module.__dict__["_fsdp_state"] = self
        if len(modules) == 1:
            modules[0].register_forward_pre_hook(self.pre_forward, prepend=True, with_kwargs=True)
            modules[0].register_forward_hook(self.post_forward, prepend=False)
            return
        for module in modules:
            module.register_forward_pre_hook(self._group_pre_forward, prepend=True, with_kwargs=True)
            module.register_forward_hook(self._group_post_forward, prepend=False, always_call=True)

    # several modules are one: work is done at the first of them and at the last

    def _group_pre_forward(self, module, args, kwargs):
        if not self.to_run:
            self.to_run.update(self.modules)
        return self.pre_forward(module, args, kwargs)

    def _group_post_forward(self, module, inputs, output):
        if module in self.to_run:
            self.to_run.discard(module)
            if not self.to_run:
                return self.post_forward(module, inputs, output)
        return self._cast_output(output)

    def lazy_init(self) -> None:
        if self.is_root is not None:
            return
        self.is_root = True
        if len(self.modules) > 1:
            raise RuntimeError(f"FSDP requires a single root module but got {self.modules}")
        root = self.modules[0]
        for name, module in root.named_modules():
            state = module.__dict__.get("_fsdp_state")
            if state is None:
                continue
            known = state in self.shared.all_states
            if module is not root:
                if not known and state.is_root is not None:
                    raise RuntimeError(
                        f"FSDP state has already been lazily initialized for {name}\n"
                        "FSDP requires running forward through the root module first"
                    )
                state.is_root = False
            if not known:
                self.shared.all_states.append(state)
        if self.auto_reshard:
            for group in self.groups:
                group.post_forward_info = None
        names = {id(p): name for name, p in root.named_parameters()}
        self.comm.lazy_init()
        for state in self.shared.all_states:
            state.shared, state.comm = self.shared, self.comm
            for i, group in enumerate(state.groups):
                group.comm, group.index, group.count = self.comm, i, len(state.groups)
                for param in group.fsdp_params:
                    param._fqn = names.get(id(param.sharded_param))
        groups = [group for state in self.shared.all_states for group in state.groups]
        self.comm.max_input_buffers = max((group.max_input_buffers for group in groups), default=1)
        for group in groups:
            group.lazy_init()

    def _root_pre_forward(self, args, kwargs):
        self.lazy_init()
        if self.shared.iter_forward_root is not None:
            return args, kwargs
        self.shared.iter_forward_root = self
        if self.device.type == "cuda" and (args or kwargs):
            args, kwargs = apply_to_tensors(lambda t: t.to(self.device), (args, kwargs))
        return args, kwargs

    def pre_forward(self, module: torch.nn.Module, args: Any, kwargs: dict) -> tuple:
        if self.state == PRE_BACKWARD:
            # a checkpoint runs forward again: parameters are whole, unless an earlier backward has resharded them
            for group in self.groups:
                if group.sharded_state != UNSHARDED:
                    group.unshard()
                    group.wait_for_unshard()
            return self._cast_inputs(args, kwargs)
        first = self.state != FORWARD
        self.state = FORWARD
        if first:
            args, kwargs = self._root_pre_forward(args, kwargs)
        args, kwargs = self._cast_inputs(args, kwargs)
        for group in self.groups:
            args, kwargs = group.pre_forward(args, kwargs)
        if first:
            for state in self.forward_prefetch:
                for group in state.groups:
                    group.prefetch(FORWARD)
        return args, kwargs

    def _cast_inputs(self, args, kwargs):
        dtype = self.mp_policy.param_dtype
        if not self.mp_policy.cast_forward_inputs or not dtype:
            return args, kwargs
        return apply_to_tensors(lambda t: cast(dtype, t), args), apply_to_tensors(lambda t: cast(dtype, t), kwargs)

    def post_forward(self, module: torch.nn.Module, inputs: Any, output: Any) -> Any:
        if self.state == PRE_BACKWARD:
            return self._cast_output(output)
        for group in self.groups:
            group.post_forward()
        output = self._with_pre_backward(output)
        self.state = IDLE
        if self.shared.iter_forward_root is self:
            self._complete_others(output)
            # the name holds the last gathered group until the outputs are cast, as in PyTorch
            last_gathered, self.comm.all_gather_state = self.comm.all_gather_state, None  # noqa: F841
            self.shared.iter_forward_root = None
        return self._cast_output(output)

    def _complete_others(self, output):
        """States of several modules of which some did not run."""
        for state in reversed(self.shared.all_states):
            if state is self or not state.to_run:
                continue
            for group in state.groups:
                group.post_forward()
            state._with_pre_backward(output)
            state.state = IDLE
            state.to_run.clear()

    def _cast_output(self, output):
        dtype = self.mp_policy.output_dtype
        return output if dtype is None else apply_to_tensors(lambda t: cast(dtype, t), output)

    def _with_pre_backward(self, output):
        if torch.is_grad_enabled():
            for t in differentiable_tensors(output):
                t.register_hook(self._pre_backward)
        return output

    def _pre_backward(self, grad):
        self.state = PRE_BACKWARD
        if not self.shared.callback_queued:
            self.shared.callback_queued = True
            graph.queue_callback(self._root_post_backward)
        default_prefetch = len(self.backward_prefetch) == 0
        for group in self.groups:
            group.pre_backward(default_prefetch)
        for state in self.backward_prefetch:
            for group in reversed(state.groups):
                group.prefetch(PRE_BACKWARD)
        return grad

    def _root_post_backward(self):
        shared = self.shared
        shared.iter_forward_root = None
        for state in shared.all_states:
            state.to_run.clear()
            for group in reversed(state.groups):
                if group.state != POST_BACKWARD:
                    group.post_backward()
                group.state = IDLE
            state.state = IDLE
            if shared.is_last_backward:
                for group in state.groups:
                    group.finalize_backward()
        if shared.is_last_backward:
            self.comm.post_forward_order.clear()
            self.comm.reduce_scatter_states.clear()
        shared.callback_queued = False
