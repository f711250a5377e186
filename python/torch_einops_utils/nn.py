"""Modules of torch_einops_utils."""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING

from torch import nn

from .shapes import tree_flatten_with_inverse

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from torch import Tensor


def Sequential(*modules: Any) -> Any:
    """nn.Sequential of those that are there."""
    return nn.Sequential(*[module for module in modules if module is not None])


class Identity(nn.Module):
    def forward(self, t: Tensor, *args: Any, **kwargs: Any) -> Any:
        return t


class Lambda(nn.Module):
    """A function as a module."""

    def __init__(self, fn: Callable) -> None:
        super().__init__()
        self.fn = fn

    def forward(self, t: Tensor, *args: Any, **kwargs: Any) -> Any:
        return self.fn(t, *args, **kwargs)


class Residual(nn.Module):
    """What a function makes, with its input added to the first part."""

    def __init__(self, fn: Callable) -> None:
        super().__init__()
        self.fn = fn

    def forward(self, x: Tensor, *args: Any, **kwargs: Any) -> Any:
        out = self.fn(x, *args, **kwargs)
        (first, *rest), inverse = tree_flatten_with_inverse(out)
        return inverse((first + x, *rest))


@contextlib.contextmanager
def _evaluating(module):
    was_training = module.training
    module.eval()
    try:
        yield
    finally:
        module.train(was_training)


def temp_eval(fn_or_module: Any) -> Any:
    """A context in which a module evaluates, or a method that does so while it runs."""
    if isinstance(fn_or_module, nn.Module):
        return _evaluating(fn_or_module)

    @functools.wraps(fn_or_module)
    def method(self, *args, **kwargs):
        with _evaluating(self):
            return fn_or_module(self, *args, **kwargs)

    return method
