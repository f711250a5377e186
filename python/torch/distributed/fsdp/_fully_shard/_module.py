"""FSDPModule: what a module under fully_shard can be told."""

import functools

from ..._ignored import ignored


class UnshardHandle:
    """Waits for a gather that was asked for."""

    def wait(self):
        raise NotImplementedError


class _Handle(UnshardHandle):
    def __init__(self, groups):
        self._groups = groups

    def wait(self):
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

    def reshard(self):
        for group in self._get_fsdp_state().groups:
            group.reshard()

    def unshard(self, async_op=False):
        groups = self._get_fsdp_state().groups
        for group in groups:
            group.lazy_init()
            group.unshard(async_op=async_op)
        handle = _Handle(list(groups))
        if async_op:
            return handle
        handle.wait()
        return None

    def set_is_last_backward(self, is_last_backward):
        self._get_fsdp_state().shared.is_last_backward = is_last_backward

    def set_requires_gradient_sync(self, requires_gradient_sync, *, recurse=True):
        for group in self._fsdp_groups(recurse):
            group.reduce_grads = group.all_reduce_grads = requires_gradient_sync

    def set_requires_all_reduce(self, requires_all_reduce, *, recurse=True):
        for group in self._fsdp_groups(recurse):
            group.all_reduce_grads = requires_all_reduce

    def set_reshard_after_forward(self, reshard_after_forward, recurse=True):
        from ._api import after_forward

        for module in self.modules() if recurse else (self,):
            if isinstance(module, FSDPModule):
                state = module._get_fsdp_state()
                state.auto_reshard = False
                for group in state.groups:
                    group.post_forward_info = after_forward(reshard_after_forward, group.info)

    def set_reshard_after_backward(self, reshard_after_backward, *, recurse=True):
        for group in self._fsdp_groups(recurse):
            group.reshard_after_backward = reshard_after_backward

    def set_modules_to_forward_prefetch(self, modules):
        self._get_fsdp_state().forward_prefetch = [m._get_fsdp_state() for m in modules]

    def set_modules_to_backward_prefetch(self, modules):
        self._get_fsdp_state().backward_prefetch = [m._get_fsdp_state() for m in modules]

    def set_all_reduce_hook(self, hook, *, stream=None):
        for group in self._get_fsdp_state().groups:
            group.all_reduce_hook, group.all_reduce_hook_stream = hook, stream

    def set_post_optim_event(self, event):
        pass

    def set_gradient_divide_factor(self, factor):
        for group in self._get_fsdp_state().groups:
            group.gradient_divide_factor = factor

    set_reduce_scatter_divide_factor = set_gradient_divide_factor

    def set_force_sum_reduction_for_comms(self, enable):
        for group in self._get_fsdp_state().groups:
            group.force_sum = enable

    def set_unshard_in_backward(self, unshard_in_backward):
        for group in self._get_fsdp_state().groups:
            group.unshard_in_backward = unshard_in_backward

    def set_reduce_scatter_max_input_buffers(self, count):
        for group in self._fsdp_groups():
            group.max_input_buffers = count

    def set_reduce_scatter_unused_params(self, enable, *, recurse=True):
        for group in self._fsdp_groups(recurse):
            group.reduce_unused = enable

    def set_separate_reduce_scatter_group(self, enable=True, *, recurse=True):
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

    def set_allocate_memory_from_process_group_for_comm(self, enable):
        ignored("FSDPModule", set_allocate_memory_from_process_group_for_comm=enable or None)

    def set_symm_mem_for_comm(self, *_, **__):
        ignored("FSDPModule", set_symm_mem_for_comm=True)

    def set_custom_all_gather(self, comm):
        ignored("FSDPModule", set_custom_all_gather=comm)

    def set_custom_reduce_scatter(self, comm):
        ignored("FSDPModule", set_custom_reduce_scatter=comm)

    def _apply(self, *args, **kwargs):
        self.reshard()
        made = super()._apply(*args, **kwargs)
        for group in self._get_fsdp_state().groups:
            for param in group.fsdp_params:
                param.reset_sharded_param()
        return made

    def __deepcopy__(self, memo):
        raise AssertionError("FSDP does not support deepcopy. Please use state dict for serialization.")


def register_fsdp_forward_method(module, method_name):
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
