"""The base of all optimizers: parameter groups, state, hooks."""

from __future__ import annotations

import functools
import warnings
from collections import OrderedDict, defaultdict
from copy import deepcopy
from itertools import chain
from typing import TYPE_CHECKING

import torch
from torch._checkpoint_answers import of as of_nobody
from torch._release import rules
from torch import _C
from torch.utils.hooks import RemovableHandle

from ._for_others import (  # noqa: F401
    DeviceDict,
    DeviceDtypeDict,
    _capturable_doc,
    _default_to_fused_or_foreach,
    _differentiable_doc,
    _disable_dynamo_if_unsupported,
    _dispatch_sqrt,
    _foreach_doc,
    _fused_doc,
    _get_scalar_dtype,
    _get_value,
    _maximize_doc,
    _params_doc,
    _stack_if_compiling,
    _to_scalar,
    _use_grad_for_differentiable,
    _view_as_real,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from torch import Tensor


_global_pre_hooks = OrderedDict()
_global_post_hooks = OrderedDict()

ParamsT = "Iterable[torch.Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, torch.Tensor]]"


class _Required:
    def __repr__(self) -> str:
        return "<required parameter>"


_RequiredParameter = _Required
required = _Required()


def _add(hooks, hook, prepend=False):
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook: Callable) -> RemovableHandle:
    return _add(_global_pre_hooks, hook)


def register_optimizer_step_post_hook(hook: Callable) -> RemovableHandle:
    return _add(_global_post_hooks, hook)


_HOOKS = (
    "_optimizer_step_pre_hooks",
    "_optimizer_step_post_hooks",
    "_optimizer_state_dict_pre_hooks",
    "_optimizer_state_dict_post_hooks",
    "_optimizer_load_state_dict_pre_hooks",
    "_optimizer_load_state_dict_post_hooks",
)


class Optimizer:
    def __init__(self, params: Iterable[Tensor | dict | tuple[str, Tensor]], defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self._make_hook_tables()
        if isinstance(params, torch.Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                + torch.typename(params)
            )
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)
        _C._js.optimizerMade(_C.here())

    def _make_hook_tables(self):
        for name in _HOOKS:
            self.__dict__.setdefault(name, OrderedDict())
        self._patch_step_function()

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._make_hook_tables()
        self.defaults.setdefault("differentiable", False)

    def __repr__(self) -> str:
        lines = [type(self).__name__ + " ("]
        for i, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {i}")
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join(lines) + "\n)"

    def _optimizer_step_code(self):
        """For profilers to replace."""

    @staticmethod
    def profile_hook_step(func: Callable) -> Callable:
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            self = args[0]
            for hook in chain(_global_pre_hooks.values(), self._optimizer_step_pre_hooks.values()):
                result = hook(self, args, kwargs)
                if result is not None:
                    if not (isinstance(result, tuple) and len(result) == 2):
                        raise RuntimeError(
                            f"{func} must return None or a tuple of (new_args, new_kwargs), but got {result}."
                        )
                    args, kwargs = result
            before = _C.set_phase("optimizer")
            _C._js.profileBegin(f"Optimizer.step#{type(self).__name__}.step", -1)
            try:
                out = func(*args, **kwargs)
            finally:
                _C._js.profileEnd()
                _C.set_phase(before)
                self._tag_state()
            self._optimizer_step_code()
            for hook in chain(self._optimizer_step_post_hooks.values(), _global_post_hooks.values()):
                hook(self, args, kwargs)
            return out

        return wrapper

    _state_note = ""  # what the trace says of states beside their category

    def _tag_state(self):
        """Says in the trace what the state's memory is for."""
        found = list(self.state.values())
        while found:
            value = found.pop()
            if isinstance(value, torch.Tensor):
                _C.tag(value, "optimizer_state", self._state_note)
            elif isinstance(value, dict):
                found.extend(value.values())
            elif isinstance(value, (list, tuple)):
                found.extend(value)

    def _patch_step_function(self):
        cls = type(self)
        if not getattr(cls.step, "hooked", None):
            cls.step = self.profile_hook_step(cls.step)
            cls.step.hooked = True

    def register_step_pre_hook(self, hook: Callable) -> RemovableHandle:
        return _add(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Callable) -> RemovableHandle:
        return _add(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(
        self, hook: Callable[[torch.optim.Optimizer], None], prepend: bool = False
    ) -> RemovableHandle:
        return _add(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        return _add(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        return _add(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: Callable[[torch.optim.Optimizer], None], prepend: bool = False
    ) -> RemovableHandle:
        return _add(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    def state_dict(self) -> dict[str, Any]:
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers = {}
        packed_groups = []
        for group in self.param_groups:
            for p in group["params"]:
                numbers.setdefault(id(p), len(numbers))
            packed = {key: value for key, value in group.items() if key != "params"}
            packed["params"] = [numbers[id(p)] for p in group["params"]]
            packed_groups.append(packed)
        state = {numbers[id(k)] if isinstance(k, torch.Tensor) else k: v for k, v in self.state.items()}
        result = {"state": state, "param_groups": packed_groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            changed = hook(self, result)
            if changed is not None:
                result = changed
        return result

    @staticmethod
    def _fit(param, value, group, key=None):
        """A loaded value as this parameter's state: its dtype and device, except the step counter."""
        if isinstance(value, torch.Tensor):
            if key == "step":
                if group.get("capturable") or group.get("fused"):
                    return value.to(dtype=torch.float32, device=param.device)
                return value
            if param.is_floating_point():
                return value.to(dtype=param.dtype, device=param.device)
            return value.to(device=param.device)
        if isinstance(value, dict):
            return {k: Optimizer._fit(param, v, group, k) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(Optimizer._fit(param, v, group) for v in value)
        return value

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        if of_nobody(state_dict) is not None:
            return  # its state is made at the first step
        state_dict = deepcopy(state_dict) if rules.loading_copies_states else state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, state_dict)
            if changed is not None:
                state_dict = changed
        groups = self.param_groups
        saved_groups = deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(g["params"]) != len(s["params"]) for g, s in zip(groups, saved_groups)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        owners = {}
        for group, saved in zip(groups, saved_groups):
            owners.update({number: (p, saved) for number, p in zip(saved["params"], group["params"])})
        state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in owners:
                param, saved = owners[key]
                state[param] = self._fit(param, value, saved)
            else:
                state[key] = value
        for group, saved in zip(groups, saved_groups):
            saved["params"] = group["params"]
            if "param_names" in group and "param_names" not in saved:
                saved["param_names"] = group["param_names"]
        self.__setstate__({"state": state, "param_groups": saved_groups})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    def zero_grad(self, set_to_none: bool | None = None) -> None:
        if set_to_none is None:
            set_to_none = rules.zero_grad_set_to_none
        foreach = self.defaults.get("foreach", False) or self.defaults.get("fused", False)
        together = {}
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                if set_to_none:
                    p.grad = None
                    continue
                if p.grad.grad_fn is not None:
                    p.grad.detach_()
                else:
                    p.grad.requires_grad_(False)
                if foreach:
                    together.setdefault((p.grad.device, p.grad.dtype), []).append(p.grad)
                else:
                    p.grad.zero_()
        for grads in together.values():
            torch._foreach_zero_(grads)

    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        raise NotImplementedError

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, torch.Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections: use a list instead of a set"
            )
        else:
            params = list(params)
        names = [entry[0] for entry in params if isinstance(entry, tuple)]
        if names and len(names) != len(params):
            raise ValueError("all optimizer params should be with/without names. Some param names are missing")
        if names:
            params = [entry[1] for entry in params]
            param_group["param_names"] = names
        param_group["params"] = params
        for p in params:
            if not isinstance(p, torch.Tensor):
                raise TypeError("optimizer can only optimize Tensors, but one of the params is " + torch.typename(p))
            if not self.defaults.get("differentiable", None) and not (p.is_leaf or p.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        if len(params) != len({id(p) for p in params}):
            warnings.warn("optimizer contains a parameter group with duplicate parameters", stacklevel=3)
        known = {id(p) for group in self.param_groups for p in group["params"]}
        if any(id(p) in known for p in params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)
        for p in params:
            _C.tag(p, "parameter")
