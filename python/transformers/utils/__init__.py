"""transformers.utils as programs use it: what is there, names of files, and logs."""

from __future__ import annotations

import functools
import importlib.util
import re
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from . import logging, versions
from ..modeling_outputs import ModelOutput

if TYPE_CHECKING:
    from typing import Any

__all__ = ["ModelOutput", "logging", "versions"]
CONFIG_NAME, GENERATION_CONFIG_NAME = "config.json", "generation_config.json"
WEIGHTS_NAME, WEIGHTS_INDEX_NAME = "pytorch_model.bin", "pytorch_model.bin.index.json"
SAFE_WEIGHTS_NAME, SAFE_WEIGHTS_INDEX_NAME = "model.safetensors", "model.safetensors.index.json"
ADAPTER_CONFIG_NAME, ADAPTER_WEIGHTS_NAME = "adapter_config.json", "adapter_model.bin"
ADAPTER_SAFE_WEIGHTS_NAME = "adapter_model.safetensors"
_NOT_CUDA = frozenset(
    "torch_xpu torch_npu torch_mlu torch_xla torch_mps tf flax torch_tpu torch_hpu torch_musa".split()
)
_PRESENT = frozenset(
    "torch torch_cuda torch_bf16_gpu torch_bf16 torch_tf32 torch_fx torch_sdpa safetensors tokenizers".split()
)
_lacks = lacks(__name__)


def __getattr__(name: str) -> Any:
    asked = re.fullmatch(r"is_(\w+)_available", name)
    return functools.partial(_is_there, asked[1]) if asked else _lacks(name)


def _is_there(name: str, *_: object) -> bool:
    """Whether a package can be imported; of what a CUDA card is not for, nothing is there."""
    if name in _NOT_CUDA or name in _PRESENT:
        return name in _PRESENT
    return importlib.util.find_spec(name.removesuffix("_2").removesuffix("_3")) is not None


def check_min_version(*_: object) -> None:
    """The short form is of the release that is simulated."""


def send_example_telemetry(*_: object, **__: object) -> None:
    """Nobody is told anything."""


def is_offline_mode() -> bool:
    return True


class PaddingStrategy:
    """How rows of a batch are brought to one length."""

    LONGEST, MAX_LENGTH, DO_NOT_PAD = "longest", "max_length", "do_not_pad"
