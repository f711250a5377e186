"""Gives optimizers an option that the program leaves open."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any


def with_option(name: str, value: Any, other: Any) -> None:
    """Wherever the program gives neither the option `name` nor `other`."""
    for kind in list(vars(torch.optim).values()):
        if isinstance(kind, type) and name in inspect.signature(kind.__init__).parameters:
            _wrap(kind, kind.__init__, name, value, other)


def _wrap(kind, plain, name, value, other):
    @functools.wraps(plain)
    def __init__(self, *args, **kwargs):
        if kwargs.get(name) is None and kwargs.get(other) is None:
            kwargs[name] = value
        plain(self, *args, **kwargs)

    kind.__init__ = __init__
