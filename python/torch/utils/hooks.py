"""Hook handles, and the node pair that watches gradients enter and leave a module."""

from __future__ import annotations

import warnings
import weakref
from collections import OrderedDict
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    import types
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


def _reference(hooks):
    """Weak where Python allows it; a plain dict is held."""
    try:
        return weakref.ref(hooks)
    except TypeError:
        return lambda: hooks


class RemovableHandle:
    """Takes a hook out of the dictionaries that hold it; a context manager too."""

    next_id = 0

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None:
        self.hooks_dict_ref = _reference(hooks_dict)
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        if extra_dict is None:
            extra_dict = []
        elif isinstance(extra_dict, dict):
            extra_dict = [extra_dict]
        self.extra_dict_ref = tuple(_reference(d) for d in extra_dict)

    def remove(self) -> None:
        for ref in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = ref()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self) -> tuple:
        return self.hooks_dict_ref(), self.id, tuple(ref() for ref in self.extra_dict_ref)

    def __setstate__(self, state: dict) -> None:
        hooks, self.id = state[0], state[1]
        # A dictionary that is not there any more becomes an empty one, dead at once.
        self.hooks_dict_ref = weakref.ref(OrderedDict() if hooks is None else hooks)
        self.extra_dict_ref = tuple(weakref.ref(d) for d in (state[2] if len(state) > 2 and state[2] else ()))
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        self.remove()


def unserializable_hook(hook: Callable) -> Callable:
    hook.__torch_unserializable__ = True
    return hook


def warn_if_has_hooks(tensor: Tensor) -> None:
    for hook in (getattr(tensor, "_backward_hooks", None) or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(f"backward hook {hook!r} on tensor will not be serialized", stacklevel=2)


class BackwardHook:
    """Runs a module's full backward hooks: identity nodes around the module catch the gradients.

    Mirrors the order of torch/utils/hooks.py: the output's node sees grad_output (pre-hooks run there), the input's
    node sees grad_input and runs the user's hooks with both.
    """

    def __init__(self, module: torch.nn.Module, user_hooks: list[Callable], user_pre_hooks: Any) -> None:
        self.module, self.user_hooks, self.user_pre_hooks = module, user_hooks, user_pre_hooks
        self.grad_outputs = None
        self.n_outputs = self.n_inputs = -1
        self.output_tensors_index = self.input_tensors_index = None

    @staticmethod
    def _spread(indices, values, size):
        full = [None] * size
        for index, value in zip(indices, values):
            full[index] = value
        return tuple(full)

    def _watch(self, attach, args):
        where, tensors = [], []
        wanted = False
        for i, arg in enumerate(args):
            if isinstance(arg, torch.Tensor):
                where.append(i)
                tensors.append(arg)
                wanted = wanted or arg.requires_grad
        if not (wanted and torch.is_grad_enabled()):
            return args, None
        from torch.nn.modules._functions import BackwardHookFunction

        fresh = BackwardHookFunction.apply(*tensors)
        nodes = [t.grad_fn for t in fresh if t.grad_fn is not None]
        if not nodes:
            raise RuntimeError("module backward hooks found no differentiable tensor to attach to")
        attach(nodes[0])
        full = list(args)
        for index, value in zip(where, fresh):
            full[index] = value
        return (tuple(full) if type(args) is tuple else type(args)(*full)), where

    def _on_input_grad(self, grad_input, _):
        if self.grad_outputs is None:  # the gradient did not come through this module's outputs
            return None
        result = self._spread(self.input_tensors_index, grad_input, self.n_inputs)
        for hook in self.user_hooks:
            out = hook(self.module, result, self.grad_outputs)
            if out is None:
                continue
            if len(out) != len(result):
                raise RuntimeError(f"Backward hook returned {len(out)} grad_input, expected {len(result)}")
            result = out
        self.grad_outputs = None
        return tuple(result[i] for i in self.input_tensors_index)

    def _on_output_grad(self, _, grad_output):
        self.grad_outputs = self._spread(self.output_tensors_index, grad_output, self.n_outputs)
        for hook in self.user_pre_hooks or ():
            out = hook(self.module, self.grad_outputs)
            if out is None:
                continue
            if len(out) != len(self.grad_outputs):
                raise RuntimeError(
                    f"Backward pre hook returned {len(out)} grad_output, expected {len(self.grad_outputs)}"
                )
            self.grad_outputs = out
        kept = self.grad_outputs
        if self.input_tensors_index is None:  # no input asks for a gradient, so this is the last stop
            empty = (None,) * self.n_inputs
            for hook in self.user_hooks:
                out = hook(self.module, empty, self.grad_outputs)
                if out is not None and not (isinstance(out, tuple) and all(g is None for g in out)):
                    raise RuntimeError("Backward hook of a module whose inputs need no gradient must return None")
            self.grad_outputs = None
        return None if kept is None else tuple(kept[i] for i in self.output_tensors_index)

    def setup_input_hook(self, args: tuple[Tensor]) -> tuple[Tensor]:
        result, index = self._watch(lambda node: node.register_hook(self._on_input_grad), args)
        self.n_inputs = len(args)
        self.input_tensors_index = index
        return result

    def setup_output_hook(self, args: Tensor) -> Tensor:
        single = not isinstance(args, tuple)
        if single:
            args = (args,)
        result, index = self._watch(lambda node: node.register_hook(self._on_output_grad), args)
        self.n_outputs = len(args)
        self.output_tensors_index = index
        return result[0] if single else result
