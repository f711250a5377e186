"""Hooks of modules: where they are kept, and a call that runs them."""

from __future__ import annotations

import functools
import warnings
import weakref
from collections import OrderedDict
from typing import TYPE_CHECKING

import torch
from torch.utils.hooks import BackwardHook, RemovableHandle

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


buffer_registration = OrderedDict()
module_registration = OrderedDict()
parameter_registration = OrderedDict()


class _Global:
    """Hooks of every module."""

    backward_pre = OrderedDict()
    backward = OrderedDict()
    forward_pre = OrderedDict()
    forward = OrderedDict()
    forward_always = OrderedDict()
    forward_kwargs = OrderedDict()
    full_backward = None


def _add(hooks, hook, **extra):
    handle = RemovableHandle(hooks, **extra)
    hooks[handle.id] = hook
    return handle


def register_module_buffer_registration_hook(hook: Callable[..., None]) -> RemovableHandle:
    return _add(buffer_registration, hook)


def register_module_module_registration_hook(hook: Callable[..., None]) -> RemovableHandle:
    return _add(module_registration, hook)


def register_module_parameter_registration_hook(hook: Callable[..., None]) -> RemovableHandle:
    return _add(parameter_registration, hook)


def register_module_forward_pre_hook(hook: Callable[..., None]) -> RemovableHandle:
    return _add(_Global.forward_pre, hook)


def register_module_forward_hook(
    hook: Callable[..., None], *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    handle = _add(_Global.forward, hook, extra_dict=[_Global.forward_always, _Global.forward_kwargs])
    if with_kwargs:
        _Global.forward_kwargs[handle.id] = True
    if always_call:
        _Global.forward_always[handle.id] = True
    return handle


def register_module_full_backward_pre_hook(hook: Callable) -> RemovableHandle:
    return _add(_Global.backward_pre, hook)


def _claim_kind(owner, attribute, full):
    if getattr(owner, attribute) is (not full):
        raise RuntimeError("Cannot use both regular and full backward hooks; use only one kind")
    setattr(owner, attribute, full)


def register_module_backward_hook(hook: Callable) -> RemovableHandle:
    _claim_kind(_Global, "full_backward", False)
    return _add(_Global.backward, hook)


def register_module_full_backward_hook(hook: Callable) -> RemovableHandle:
    _claim_kind(_Global, "full_backward", True)
    return _add(_Global.backward, hook)


class WrappedHook:
    """A hook that may get its module first, held weakly so that hooks do not keep modules alive."""

    def __init__(self, hook: Callable, module: torch.nn.Module | None = None) -> None:
        self.hook = hook
        functools.update_wrapper(self, hook)
        self.with_module = module is not None
        if self.with_module:
            self.module = weakref.ref(module)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.with_module:
            return self.hook(*args, **kwargs)
        module = self.module()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return self.hook(module, *args, **kwargs)

    def __getstate__(self) -> dict:
        state = {"hook": self.hook, "with_module": self.with_module}
        if self.with_module:
            state["module"] = self.module()
        return state

    def __setstate__(self, state: dict) -> None:
        self.hook, self.with_module = state["hook"], state["with_module"]
        if self.with_module:
            self.module = weakref.ref(state["module"])


class HookMethods:
    """Registration on one module, and the slow path of a call."""

    def register_full_backward_pre_hook(self, hook: Callable, prepend: bool = False) -> Any:
        handle = _add(self._backward_pre_hooks, hook)
        if prepend:
            self._backward_pre_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_backward_hook(self, hook: Callable) -> RemovableHandle:
        _claim_kind(self, "_is_full_backward_hook", False)
        return _add(self._backward_hooks, hook)

    def register_full_backward_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        _claim_kind(self, "_is_full_backward_hook", True)
        handle = _add(self._backward_hooks, hook)
        if prepend:
            self._backward_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_forward_pre_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        handle = _add(self._forward_pre_hooks, hook, extra_dict=self._forward_pre_hooks_with_kwargs)
        if with_kwargs:
            self._forward_pre_hooks_with_kwargs[handle.id] = True
        if prepend:
            self._forward_pre_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_forward_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        extra = [self._forward_hooks_with_kwargs, self._forward_hooks_always_called]
        handle = _add(self._forward_hooks, hook, extra_dict=extra)
        if with_kwargs:
            self._forward_hooks_with_kwargs[handle.id] = True
        if always_call:
            self._forward_hooks_always_called[handle.id] = True
        if prepend:
            self._forward_hooks.move_to_end(handle.id, last=False)
        return handle

    def _has_hooks(self):
        return (
            self._backward_hooks
            or self._backward_pre_hooks
            or self._forward_hooks
            or self._forward_pre_hooks
            or _Global.backward_pre
            or _Global.backward
            or _Global.forward
            or _Global.forward_pre
        )

    def _backward_hooks_by_kind(self):
        by_kind = {True: [], False: []}
        if _Global.full_backward is not None:
            by_kind[_Global.full_backward] += _Global.backward.values()
        if self._is_full_backward_hook is not None:
            by_kind[self._is_full_backward_hook] += self._backward_hooks.values()
        return by_kind[True], by_kind[False]

    def _call_with_hooks(self, args, kwargs):
        state = _Call(args, kwargs)
        if not (self._forward_hooks_always_called or _Global.forward_always):
            return self._run_hooked(state)
        try:
            return self._run_hooked(state)
        except Exception:
            self._run_always_called(state)
            raise

    def _run_hooked(self, state):
        pre, full, plain = [], [], []
        if self._backward_pre_hooks or _Global.backward_pre:
            pre = [*_Global.backward_pre.values(), *self._backward_pre_hooks.values()]
        if self._backward_hooks or _Global.backward:
            full, plain = self._backward_hooks_by_kind()
        for key, hook in (*_Global.forward_pre.items(), *self._forward_pre_hooks.items()):
            if key in self._forward_pre_hooks_with_kwargs:
                out = hook(self, state.args, state.kwargs)
                if out is not None:
                    if not (isinstance(out, tuple) and len(out) == 2):
                        raise RuntimeError(f"forward pre-hook must return None or (args, kwargs), but got {out}")
                    state.args, state.kwargs = out
            else:
                out = hook(self, state.args)
                if out is not None:
                    state.args = out if isinstance(out, tuple) else (out,)
            out = None
        watch = None
        if full or pre:
            watch = BackwardHook(self, full, pre)
            state.args = watch.setup_input_hook(state.args)
        state.result = self.forward(*state.args, **state.kwargs)
        for key, hook in (*_Global.forward.items(), *self._forward_hooks.items()):
            if key in self._forward_hooks_always_called or key in _Global.forward_always:
                state.called.add(key)
            if key in self._forward_hooks_with_kwargs or key in _Global.forward_kwargs:
                out = hook(self, state.args, state.kwargs, state.result)
            else:
                out = hook(self, state.args, state.result)
            if out is not None:
                state.result = out
            out = None
        if watch is not None:
            if isinstance(state.result, (torch.Tensor, tuple)):
                state.result = watch.setup_output_hook(state.result)
            else:
                warnings.warn(
                    f"backward hooks need a Tensor or a tuple of Tensors as output, got {type(state.result)}",
                    stacklevel=2,
                )
        if plain:
            self._attach_plain(state.result, plain)
        return state.result

    def _attach_plain(self, result, hooks):
        found = result
        while not isinstance(found, torch.Tensor):
            found = (
                next(v for v in found.values() if isinstance(v, torch.Tensor)) if isinstance(found, dict) else found[0]
            )
        node = found.grad_fn
        if node is not None:
            for hook in hooks:
                node.register_hook(WrappedHook(hook, self))

    def _run_always_called(self, state):
        """After an error, the hooks that asked to run anyway and have not; their own errors are dropped."""
        for key, hook in (*_Global.forward.items(), *self._forward_hooks.items()):
            always = key in self._forward_hooks_always_called or key in _Global.forward_always
            if not always or key in state.called:
                continue
            try:
                if key in self._forward_hooks_with_kwargs or key in _Global.forward_kwargs:
                    out = hook(self, state.args, state.kwargs, state.result)
                else:
                    out = hook(self, state.args, state.result)
                if out is not None:
                    state.result = out
            except Exception as error:
                warnings.warn(f"forward hook with always_call=True raised {error}", stacklevel=2)


class _Call:
    """One call's arguments and result, shared between the call and its hooks."""

    __slots__ = ("args", "kwargs", "result", "called")

    def __init__(self, args: tuple[Tensor], kwargs: dict) -> None:
        self.args, self.kwargs, self.result, self.called = args, kwargs, None, set()
