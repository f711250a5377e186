"""Activation functions by the names that configs use. What each keeps for backward follows from the operators it calls."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional as F

if TYPE_CHECKING:
    from typing import Any


def _module(name, function):
    """A module without parameters, so that hooks and module paths are those of the library."""
    return type(name, (nn.Module,), {"forward": lambda self, x: function(x)})


def _gelu_new(x):
    return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))


def _gelu_fast(x):
    return 0.5 * x * (1.0 + torch.tanh(x * 0.7978845608 * (1.0 + 0.044715 * x * x)))


GELUActivation = _module("GELUActivation", F.gelu)
GELUTanh = _module("GELUTanh", lambda x: F.gelu(x, approximate="tanh"))
NewGELUActivation = _module("NewGELUActivation", _gelu_new)
FastGELUActivation = _module("FastGELUActivation", _gelu_fast)
QuickGELUActivation = _module("QuickGELUActivation", lambda x: x * torch.sigmoid(1.702 * x))
ReLUSquaredActivation = _module("ReLUSquaredActivation", lambda x: torch.square(F.relu(x)))
SiLUActivation = _module("SiLUActivation", F.silu)
MishActivation = _module("MishActivation", F.mish)
LinearActivation = _module("LinearActivation", lambda x: x)

_CLASSES = {
    "gelu": GELUActivation,
    "gelu_python": GELUActivation,
    "gelu_fast": FastGELUActivation,
    "gelu_new": NewGELUActivation,
    "gelu_pytorch_tanh": GELUTanh,
    "gelu_python_tanh": GELUTanh,
    "hardswish": nn.Hardswish,
    "leaky_relu": nn.LeakyReLU,
    "linear": LinearActivation,
    "mish": MishActivation,
    "prelu": nn.PReLU,
    "quick_gelu": QuickGELUActivation,
    "relu": nn.ReLU,
    "relu2": ReLUSquaredActivation,
    "relu6": nn.ReLU6,
    "sigmoid": nn.Sigmoid,
    "silu": SiLUActivation,
    "swish": nn.SiLU,
    "tanh": nn.Tanh,
}


class _ByName(dict):
    """Looks a class up and makes a fresh module of it."""

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(f"no activation {name!r}; there are {', '.join(sorted(self))}")
        return super().__getitem__(name)()


ACT2FN = _ByName(_CLASSES)


def get_activation(name: str) -> Any:
    return ACT2FN[name]
