"""FSDPModule: what a module under fully_shard can be told."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from ..._ignored import ignored

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    import torch
    from torch import Tensor


class UnshardHandle:
    """Waits for a gather that was asked for."""

    def wait(self) -> None:
        raise NotImplementedError


class _Handle(UnshardHandle):
    def __init__(self, groups: Any) -> None:
        self._groups = groups

    def wait(self) -> None:
        for group in self._groups:
            group.wait_for_unshard()
        self._groups = []


class FSDPModule:
    """Mixed into the class of a module that fully_shard was applied to."""

    def _get_fsdp_state(self):
        return self.__dict__["_fsdp_state"]

    def _fsdp_groups(self, recurse=True):
        modules = self.modules() if recurse else (self,)
        for module in modules:
            if isinstance(module, FSDPModule):
                yield from module._get_fsdp_state().groups

    def reshard(self) -> None:
        for group in self._get_fsdp_state().groups:
            group.reshard()

    def unshard(self, async_op: bool = False) -> UnshardHandle | None:
        groups = self._get_fsdp_state().groups
        for group in groups:
            group.lazy_init()
            group.unshard(async_op=async_op)
        handle = _Handle(list(groups))
        if async_op:
            return handle
        handle.wait()
        return None

    def set_is_last_backward(self, is_last_backward: bool) -> None:
        self._get_fsdp_state().shared.is_last_backward = is_last_backward

    def set_requires_gradient_sync(self, requires_gradient_sync: bool, *, recurse: bool = True) -> None:
        for group in self._fsdp_groups(recurse):
            group.reduce_grads = group.all_reduce_grads = requires_gradient_sync

    def set_requires_all_reduce(self, requires_all_reduce: bool, *, recurse: bool = True) -> None:
        for group in self._fsdp_groups(recurse):
            group.all_reduce_grads = requires_all_reduce

    def set_reshard_after_forward(self, reshard_after_forward: bool, recurse: bool = True) -> None:
        from ._api import after_forward

        for module in self.modules() if recurse else (self,):
            if isinstance(module, FSDPModule):
                state = module._get_fsdp_state()
                state.auto_reshard = False
                for group in state.groups:
                    group.post_forward_info = after_forward(reshard_after_forward, group.info)

    def set_reshard_after_backward(self, reshard_after_backward: bool, *, recurse: bool = True) -> None:
        for group in self._fsdp_groups(recurse):
            group.reshard_after_backward = reshard_after_backward

    def set_modules_to_forward_prefetch(self, modules: list[FSDPModule]) -> None:
        self._get_fsdp_state().forward_prefetch = [m._get_fsdp_state() for m in modules]

    def set_modules_to_backward_prefetch(self, modules: list[FSDPModule]) -> None:
        self._get_fsdp_state().backward_prefetch = [m._get_fsdp_state() for m in modules]

    def set_all_reduce_hook(self, hook: Callable[[Tensor], None], *, stream: torch.cuda.Stream | None = None) -> None:
        for group in self._get_fsdp_state().groups:
            group.all_reduce_hook, group.all_reduce_hook_stream = hook, stream

    def set_post_optim_event(self, event: torch.Event) -> None:
        pass

    def set_gradient_divide_factor(self, factor: float) -> None:
        for group in self._get_fsdp_state().groups:
            group.gradient_divide_factor = factor

    set_reduce_scatter_divide_factor = set_gradient_divide_factor

    def set_force_sum_reduction_for_comms(self, enable: bool) -> None:
        for group in self._get_fsdp_state().groups:
            group.force_sum = enable

    def set_unshard_in_backward(self, unshard_in_backward: bool) -> None:
        for group in self._get_fsdp_state().groups:
            group.unshard_in_backward = unshard_in_backward

    def set_reduce_scatter_max_input_buffers(self, count: int) -> None:
        for group in self._fsdp_groups():
            group.max_input_buffers = count

    def set_reduce_scatter_unused_params(self, enable: bool, *, recurse: bool = True) -> None:
        for group in self._fsdp_groups(recurse):
            group.reduce_unused = enable

    def set_separate_reduce_scatter_group(self, enable: bool = True, *, recurse: bool = True) -> None:
        from ..._world import new_group

        made = {}
        for group in self._fsdp_groups(recurse):
            ranks = tuple(group.info.shard_group._ranks)
            if enable and ranks not in made:
                made[ranks] = new_group(list(ranks))
            group.own_reduce_group = made[ranks] if enable else None

    def _set_unshard_async_op(self, async_op):
        for group in self._fsdp_groups():
            group.unshard_async_op = async_op

    def set_allocate_memory_from_process_group_for_comm(self, enable: bool) -> None:
        ignored("FSDPModule", set_allocate_memory_from_process_group_for_comm=enable or None)

    def set_symm_mem_for_comm(self, *_: Any, **__: Any) -> None:
        ignored("FSDPModule", set_symm_mem_for_comm=True)

    def set_custom_all_gather(self, comm: Any) -> None:
        ignored("FSDPModule", set_custom_all_gather=comm)

    def set_custom_reduce_scatter(self, comm: Any) -> None:
        ignored("FSDPModule", set_custom_reduce_scatter=comm)

    def _apply(self, *args, **kwargs):
        self.reshard()
        made = super()._apply(*args, **kwargs)
        for group in self._get_fsdp_state().groups:
            for param in group.fsdp_params:
                param.reset_sharded_param()
        return made

    def __deepcopy__(self, memo: dict) -> NoReturn:
        raise AssertionError("FSDP does not support deepcopy. Please use state dict for serialization.")


def register_fsdp_forward_method(module: torch.nn.Module, method_name: str) -> None:
    """Makes another method of the module count as its forward."""
    if not isinstance(module, FSDPModule):
        return
    method = getattr(module, method_name)
    state = module._get_fsdp_state()

    @functools.wraps(method)
    def wrapped(*args, **kwargs):
        args, kwargs = state.pre_forward(module, args, kwargs)
        return state.post_forward(module, args, method(*args, **kwargs))

    module.__dict__[method_name] = wrapped
