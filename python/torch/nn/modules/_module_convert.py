"""Moving and casting modules: every tensor of a module, in PyTorch's order."""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING

import torch
from torch._release import rules

from ..parameter import Parameter, is_lazy
from ._module_registry import tag_buffer

if TYPE_CHECKING:
    from typing import Any, Self

    from torch import Tensor


def parse_to(
    *args: Any,
    device: torch.device | str | int | None = None,
    dtype: torch.dtype | None = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: torch.memory_format | None = None,
    tensor: Tensor | None = None,
    other: Tensor | None = None,
) -> tuple:
    """Reads the argument forms of Module.to(): a device, a dtype, both, or a tensor to imitate."""
    rest = list(args)
    like = tensor if tensor is not None else other
    if rest and isinstance(rest[0], torch.Tensor):
        like = rest.pop(0)
    if like is not None:
        device, dtype = like.device, like.dtype
    elif rest and isinstance(rest[0], torch.dtype):
        dtype = rest.pop(0)
    elif rest:
        device = rest.pop(0)
        if rest and (rest[0] is None or isinstance(rest[0], torch.dtype)):
            dtype = rest.pop(0)
    if rest:
        non_blocking = rest.pop(0)
    if device is not None and not isinstance(device, torch.device):
        device = torch.device(device) if isinstance(device, str) else torch.device("cuda", device)
    return device, dtype, bool(non_blocking), memory_format


_nn = sys.modules["torch._C._nn"] = types.ModuleType("torch._C._nn", "What libraries ask of it.")
_nn._parse_to = parse_to


def _functional(name):
    """torch._C._nn holds what torch.nn.functional binds under the same names."""
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(sys.modules["torch.nn.functional"], name)


_nn.__getattr__ = _functional


def _keeps_object(before, after):
    """Whether `before.data = after` is possible: it is not between the meta device and a real one."""
    return before.is_meta == after.is_meta


class ConvertMethods:
    def _apply(self, fn, recurse=True):
        # Children first, then own parameters, each followed by its gradient, then buffers (module.py, Module._apply).
        if recurse:
            for module in self.children():
                module._apply(fn)
        for key, param in self._parameters.items():
            if param is None:
                continue
            with torch.no_grad():
                applied = fn(param)
            if hasattr(type(applied), "_run_operator"):
                # subclasses around other tensors change places with their new selves
                param.grad = None
                torch.utils.swap_tensors(param, Parameter(applied, param.requires_grad))
                continue
            grad = param.grad
            if _keeps_object(param, applied):
                param.data = applied
                target = param
            else:
                target = Parameter(applied, param.requires_grad)
                self._parameters[key] = target
            if grad is not None:
                with torch.no_grad():
                    grad_applied = fn(grad)
                if target is param and _keeps_object(grad, grad_applied):
                    target.grad.data = grad_applied
                else:
                    target.grad = grad_applied.requires_grad_(grad.requires_grad)
        for key, buf in self._buffers.items():
            if is_lazy(buf):
                buf.data = fn(buf.data)
            elif buf is not None:
                self._buffers[key] = fn(buf)
                tag_buffer(self._buffers[key])
        return self

    def cuda(self, device: torch.device | str | int | None = None) -> Any:
        return self._apply(lambda t: t.cuda(device))

    def cpu(self) -> Any:
        return self._apply(lambda t: t.cpu())

    def type(self, dst_type: Any) -> Any:
        return self._apply(lambda t: t.type(dst_type))

    def float(self) -> torch.nn.Module:
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self) -> Any:
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self) -> Any:
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self) -> torch.nn.Module:
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def to_empty(self, *, device: torch.device | str | int, recurse: bool = True) -> Any:
        return self._apply(lambda t: torch.empty_like(t, device=device), recurse=recurse)

    def to(self, *args: Any, **kwargs: Any) -> Any:
        device, dtype, non_blocking, layout = parse_to(*args, **kwargs)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}"
            )

        def convert(t):
            target = dtype if t.is_floating_point() or t.is_complex() else None
            if t.is_meta and device is not None and device.type != "meta":
                raise NotImplementedError(
                    "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of "
                    "torch.nn.Module.to() when moving module from meta to a different device."
                )
            if layout is not None and t.dim() in (4, 5):
                return t.to(device, target, non_blocking, memory_format=layout)
            return t.to(device, target, non_blocking)

        return self._apply(convert)

    def share_memory(self) -> Any:
        return self._apply(lambda t: t.share_memory_())

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: Any = None) -> None:
        if set_to_none is None:
            set_to_none = rules.zero_grad_set_to_none
        for p in self.parameters():
            if p.grad is not None:
                if set_to_none:
                    p.grad = None
                else:
                    if p.grad.grad_fn is not None:
                        p.grad.detach_()
                    else:
                        p.grad.requires_grad_(False)
                    p.grad.zero_()
