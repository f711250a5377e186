"""Modules whose forward runs under a checkpoint, or whose activations wait on the host."""

from __future__ import annotations

from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.autograd.graph import save_on_cpu
from torch.utils.checkpoint import checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


_CHECKPOINT_WRAPPED_MODULE = "_checkpoint_wrapped_module"
_CHECKPOINT_PREFIX = _CHECKPOINT_WRAPPED_MODULE + "."


class CheckpointImpl(Enum):
    REENTRANT = auto()
    NO_REENTRANT = auto()


class ActivationWrapper(nn.Module):
    """Around another module, whose names it keeps."""

    def __init__(self, mod: torch.nn.Module) -> None:
        super().__init__()
        self._checkpoint_wrapped_module = mod
        self._register_state_dict_hook(self._shorten)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self._checkpoint_wrapped_module, name)

    def __getitem__(self, key: int) -> Any:
        return self._checkpoint_wrapped_module[key]

    def named_parameters(self, *args: Any, **kwargs: Any) -> Iterator[tuple[str, torch.nn.Parameter]]:
        for name, param in super().named_parameters(*args, **kwargs):
            yield name.replace(_CHECKPOINT_PREFIX, ""), param

    @staticmethod
    def _shorten(module, state_dict, prefix, *_):
        for key in list(state_dict):
            if key.startswith(prefix + _CHECKPOINT_PREFIX):
                state_dict[prefix + key[len(prefix + _CHECKPOINT_PREFIX) :]] = state_dict.pop(key)
        return state_dict


class OffloadWrapper(ActivationWrapper):
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        with save_on_cpu(pin_memory=True):
            return self._checkpoint_wrapped_module(*args, **kwargs)


class CheckpointWrapper(ActivationWrapper):
    def __init__(
        self,
        mod: torch.nn.Module,
        checkpoint_impl: CheckpointImpl = CheckpointImpl.NO_REENTRANT,
        checkpoint_fn: Callable | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(mod)
        self.checkpoint_impl = checkpoint_impl
        if checkpoint_fn is None:
            checkpoint_fn = partial(checkpoint, use_reentrant=checkpoint_impl == CheckpointImpl.REENTRANT)
        self.checkpoint_fn = partial(checkpoint_fn, **kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        if self.checkpoint_impl == CheckpointImpl.REENTRANT and kwargs:
            names = list(kwargs)

            def run(*inputs):
                count = len(inputs) - len(names)
                return self._checkpoint_wrapped_module(*inputs[:count], **dict(zip(names, inputs[count:])))

            return self.checkpoint_fn(run, *args, *kwargs.values())
        return self.checkpoint_fn(self._checkpoint_wrapped_module, *args, **kwargs)


def offload_wrapper(module: torch.nn.Module) -> torch.nn.Module:
    return OffloadWrapper(module)


def checkpoint_wrapper(
    module: torch.nn.Module,
    checkpoint_impl: CheckpointImpl = CheckpointImpl.NO_REENTRANT,
    checkpoint_fn: Callable | None = None,
    **kwargs: Any,
) -> torch.nn.Module:
    return CheckpointWrapper(module, checkpoint_impl, checkpoint_fn, **kwargs)


def apply_activation_checkpointing(
    model: torch.nn.Module,
    checkpoint_wrapper_fn: Any = checkpoint_wrapper,
    check_fn: Any = lambda _: True,
    auto_wrap_policy: Callable[[torch.nn.Module, bool, int], bool] | None = None,
) -> None:
    """Wraps the modules below that the function picks."""

    def visit(module):
        for name, child in list(module.named_children()):
            visit(child)
            if check_fn(child) and not isinstance(child, ActivationWrapper):
                setattr(module, name, checkpoint_wrapper_fn(child))

    with torch.no_grad():
        visit(model)
