"""What optimizers share: one step over groups, the choice of implementation, scalars."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import torch
from torch._release import rules
from torch.utils._foreach import may_use_foreach

from .optimizer import Optimizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from torch import Tensor


def no_grad_unless_differentiable(func: Callable) -> Callable:
    @functools.wraps(func)
    def wrapper(self, *args, **kwargs):
        with torch.set_grad_enabled(bool(self.defaults.get("differentiable", False))):
            return func(self, *args, **kwargs)

    return wrapper


def value(x: Tensor) -> float:
    """A step count or a rate as a number. One that is not known reads as the first step; no memory depends on it."""
    if not isinstance(x, torch.Tensor):
        return x
    return float(torch._C._js.values(x._h) or 0) or 1.0


def ratio(a: float, b: float) -> float:
    """a / b where b may be a placeholder that makes no sense as a divisor; only the kind of number matters."""
    return a / b if b else a


def scalar_dtype(fused: bool | None = None) -> Any:
    if fused:
        return torch.float32
    return torch.float64 if torch.get_default_dtype() == torch.float64 else torch.float32


def step_counter(group: dict, param: torch.nn.Parameter, start: float = 0.0) -> Tensor:
    """A step counter: on the CPU, or on the parameter's device if the step may be captured or is fused."""
    on_device = group.get("capturable") or group.get("fused")
    dtype = scalar_dtype(group.get("fused"))
    if on_device:
        make = torch.ones if start else torch.zeros
        return make((), dtype=dtype, device=param.device)
    return torch.tensor(start, dtype=dtype, device="cpu")


def zeros_like(param: torch.nn.Parameter) -> Tensor:
    return torch.zeros_like(param, memory_format=torch.preserve_format)


def as_real(params: list[torch.nn.Parameter], *lists: Any) -> None:
    """Complex parameters and everything that goes with them as views of real numbers."""
    for i, p in enumerate(params):
        if torch.is_complex(p):
            params[i] = torch.view_as_real(p)
            for tensors in lists:
                if tensors and tensors[i] is not None:
                    tensors[i] = torch.view_as_real(tensors[i])


class GroupedOptimizer(Optimizer):
    """A step is: for each group, gather lists, then update them all. Subclasses say how."""

    _sparse = False

    def __init__(self, params: Iterable[Tensor], defaults: Any) -> None:
        super().__init__(params, defaults)
        if defaults.get("fused"):
            if defaults.get("differentiable"):
                raise RuntimeError("`fused` does not support `differentiable`")
            if defaults.get("foreach"):
                raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
            self._step_supports_amp_scaling = True

    def _state_of(self, group, param):
        """The parameter's state, made when the parameter is first seen with a gradient."""
        state = self.state[param]
        if len(state) == 0:
            self._new_state(group, param, state)
        return state

    def _new_state(self, group, param, state):
        raise NotImplementedError

    def _gather(self, group, *keys):
        """Parameters with gradients, the gradients, and one list per key of their state ([] if the key is unused)."""
        params, grads, lists = [], [], [[] for _ in keys]
        for p in group["params"]:
            if p.grad is None:
                continue
            if p.grad.is_sparse and not self._sparse:
                raise RuntimeError(f"{type(self).__name__} does not support sparse gradients")
            params.append(p)
            grads.append(p.grad)
            state = self._state_of(group, p)
            for key, found in zip(keys, lists):
                if key in state:
                    found.append(state[key])
        return [params, grads, *lists]

    def _implementation(self, group, params):
        fused, foreach = group.get("fused"), group.get("foreach")
        if fused is None and foreach is None:
            tensor_lr = isinstance(group["lr"], torch.Tensor) and not group.get("capturable")
            foreach = (
                rules.foreach_default and not group.get("differentiable") and not tensor_lr and may_use_foreach(params)
            )
        return "fused" if fused else "foreach" if foreach else "loop"

    def _update(self, group):
        raise NotImplementedError

    @no_grad_unless_differentiable
    def step(self, closure: Callable | None = None) -> Any:
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            self._update(group)
        return loss

    def __setstate__(self, state: dict) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            for key, default in self.defaults.items():
                group.setdefault(key, default)
