"""torch.nn.utils."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import rnn, stateless
from .clip_grad import clip_grad_norm, clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm
from .convert_parameters import parameters_to_vector, vector_to_parameters
from .spectral_norm import remove_spectral_norm, spectral_norm
from .weight_norm import remove_weight_norm, weight_norm

if TYPE_CHECKING:
    import types


__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "convert_conv2d_weight_memory_format",
    "convert_conv3d_weight_memory_format",
    "fuse_conv_bn_eval",
    "fuse_conv_bn_weights",
    "fuse_linear_bn_eval",
    "fuse_linear_bn_weights",
    "fusion",
    "get_total_norm",
    "parameters_to_vector",
    "parametrizations",
    "parametrize",
    "prune",
    "remove_spectral_norm",
    "remove_weight_norm",
    "rnn",
    "skip_init",
    "spectral_norm",
    "stateless",
    "vector_to_parameters",
    "weight_norm",
]

# These need torch.nn's modules, which need this package: found when asked for.
_LATER = {
    "convert_conv2d_weight_memory_format": ("memory_format", "convert_conv2d_weight_memory_format"),
    "convert_conv3d_weight_memory_format": ("memory_format", "convert_conv3d_weight_memory_format"),
    "fuse_conv_bn_eval": ("fusion", "fuse_conv_bn_eval"),
    "fuse_conv_bn_weights": ("fusion", "fuse_conv_bn_weights"),
    "fuse_linear_bn_eval": ("fusion", "fuse_linear_bn_eval"),
    "fuse_linear_bn_weights": ("fusion", "fuse_linear_bn_weights"),
    "fusion": ("fusion", None),
    "skip_init": ("init", "skip_init"),
    "parametrizations": ("parametrizations", None),
    "parametrize": ("parametrize", None),
    "prune": ("prune", None),
}


def __getattr__(name: str) -> types.ModuleType:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    file, attribute = _LATER[name]
    found = importlib.import_module(f"{__name__}.{file}")
    if attribute is not None:
        found = getattr(found, attribute)
        globals()[name] = found
    return found
