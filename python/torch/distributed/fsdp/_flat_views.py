"""The modules' own parameters as views of a flat parameter or of its shard (torch/distributed/fsdp/_flat_param.py, *_views)."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import torch
from torch import nn

from ..tensor import DTensor
from ._states import HandleTrainingState

if TYPE_CHECKING:
    from typing import Any


def _put(module, name, value):
    if hasattr(module, name):
        delattr(module, name)
    setattr(module, name, value)


def _same_storage(a, b):
    a, b = (tensor._local_tensor if isinstance(tensor, DTensor) else tensor for tensor in (a, b))
    return a.untyped_storage() == b.untyped_storage()


def _give_grad(param, grad):
    """A gradient that may differ from its parameter in shape, dtype or device."""
    if param.shape == grad.shape and param.dtype == grad.dtype and param.device == grad.device:
        param.grad = grad
        return
    if param.grad is None:
        param.grad = torch.empty_like(param)
    param.grad.data = grad


class FlatViews:
    """Part of FlatParamHandle: what the modules see of the flat parameter."""

    @torch.enable_grad()
    def set_unsharded_views(self, as_params: Any) -> None:
        flat_param, layout = self.flat_param, self.layout
        forward = self.use_orig_params and self.state == HandleTrainingState.FORWARD
        for i, (view, (name, module, _)) in enumerate(zip(layout.views(flat_param), layout.param_infos)):
            if as_params and self.use_orig_params and layout.specs[i] is None:
                param = layout.params[i]
                _put(module, name, param)
                param.data = view
            elif as_params:
                _put(module, name, nn.Parameter(view, requires_grad=flat_param.requires_grad))
            else:
                used = view
                if forward:
                    layout.tensors[i] = view
                elif self.use_orig_params and self.state == HandleTrainingState.BACKWARD_PRE:
                    used = layout.tensors[i]
                    used.data = view
                _put(module, name, used)
                if forward:
                    module._parameters[name] = used
        for i, (name, module, _, first_name, first_module) in enumerate(layout.shared_param_infos):
            first = getattr(first_module, first_name)
            if as_params and self.use_orig_params:
                shared = layout.shared_params[i]
                _put(module, name, shared)
                shared.data = first
                continue
            _put(module, name, first)
            if not as_params and forward:
                module._parameters[name] = first

    def set_unsharded_grad_views(self) -> None:
        layout, grad = self.layout, self.flat_param.grad
        if grad is None:
            for param in chain(layout.params, layout.shared_params):
                param.grad = None
            return
        for view, (name, module, _) in zip(layout.views(grad), layout.param_infos):
            _give_grad(getattr(module, name), view)
        for name, module, _, first_name, first_module in layout.shared_param_infos:
            _give_grad(getattr(module, name), getattr(first_module, first_name).grad)

    @torch.no_grad()
    def set_sharded_views(self) -> None:
        self.skipped_views_of = None
        if not self.sharded:
            self.set_unsharded_views(as_params=True)
            return
        flat_param, layout = self.flat_param, self.layout
        nothing = torch.empty(0, dtype=flat_param.dtype, device=flat_param.device)
        for param, part, (name, module, _) in zip(layout.params, self.in_shard, layout.param_infos):
            _put(module, name, param)
            param.data = flat_param[part.offset : part.offset + part.numel] if part.in_shard else nothing
        for param, (name, module, _, first_name, first_module) in zip(layout.shared_params, layout.shared_param_infos):
            _put(module, name, param)
            param.data = getattr(first_module, first_name)
        if self.state == HandleTrainingState.BACKWARD_POST:
            layout.tensors[:] = [None] * len(layout.tensors)

    @torch.no_grad()
    def set_sharded_grad_views(self) -> None:
        layout, grad = self.layout, self.sharded_grad
        if grad is None:
            for param in chain(layout.params, layout.shared_params):
                param.grad = None
            return
        for param, part, is_none in zip(layout.params, self.in_shard, layout.grad_is_none):
            if not part.in_shard or not param.requires_grad or is_none:
                param.grad = None
                continue
            view = grad[part.offset : part.offset + part.numel].reshape(param.shape)
            if self.keep_low_precision_grads or param.dtype != grad.dtype:
                if param.grad is None:
                    param.grad = torch.empty_like(param)
                param.grad.data = view
            else:
                param.grad = view
        for param, (_, _, _, first_name, first_module) in zip(layout.shared_params, layout.shared_param_infos):
            first = getattr(first_module, first_name, None)
            param.grad = first.grad if first is not None and param.requires_grad else None

    @torch.no_grad()
    def write_back(self) -> Any:
        """Takes over parameters and gradients that a program replaced by tensors of its own. Whether a parameter was."""
        if self.sharded and not self.is_sharded(self.flat_param) and self.skipped_views_of is None:
            return False
        flat_param, layout, wrote = self.flat_param, self.layout, False
        skipped = self.skipped_views_of is not None
        source = self.skipped_views_of if skipped and self.sharded else flat_param
        flat_grad = flat_param.grad if self.sharded or not self.offloaded else flat_param._cpu_grad
        for i, (param, part, (name, module, _)) in enumerate(zip(layout.params, self.in_shard, layout.param_infos)):
            if not part.in_shard or not hasattr(module, name):
                continue
            if skipped:
                param = layout.tensors[i]
            own = getattr(module, name)
            moved = own is not param or not _same_storage(param, source)
            if skipped:
                if moved:
                    raise AssertionError(
                        f"FSDP does not support changing the parameters between forward and backward for {self.strategy}"
                    )
                continue
            if own is not param:
                param = layout.params[i] = own
            if moved:
                self._write(param if self.sharded else param.view(-1), flat_param, part, "parameter")
                wrote = True
            if param.grad is None and flat_param.grad is not None:
                flat_param.grad[part.offset : part.offset + part.numel].zero_()
                layout.grad_is_none[i] = True
            elif param.grad is not None and (self.sharded or not self.offloaded):
                if flat_grad is None or not _same_storage(param.grad, flat_grad):
                    if flat_grad is None:
                        flat_grad = torch.zeros_like(flat_param)
                    self._write(param.grad if self.sharded else param.grad.view(-1), flat_grad, part, "gradient")
                    flat_param.grad = flat_grad
        return wrote

    def _write(self, source, flat, part, kind):
        if tuple(source.shape) != (part.numel,):
            raise RuntimeError(
                f"Cannot writeback when the {kind} shape changes\n"
                f"Expects {torch.Size([part.numel])} but got {source.shape}"
            )
        flat[part.offset : part.offset + part.numel].copy_(source)

    def forget_missing_grads(self) -> None:
        """Drops the flat gradient if no parameter has one; the flat parameter is trained if any of them is."""
        if not self.use_orig_params:
            return
        params = self.layout.params
        if all(p.grad is None for p in params):
            self.flat_param.grad = None
        self.flat_param.requires_grad = any(p.requires_grad for p in params)

    def deregister_orig_params(self) -> None:
        for place in chain(self.layout.param_infos, self.layout.shared_param_infos):
            if hasattr(place.module, place.param_name):
                delattr(place.module, place.param_name)
