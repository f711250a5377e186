"""The dtype that a checkpoint of a folder has: of its first floating tensor (transformers, get_state_dict_dtype)."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import torch
from safetensors import safe_open

if TYPE_CHECKING:
    from collections.abc import Iterable


def _of_safetensors(path: str) -> Iterable[torch.dtype]:
    with safe_open(path, framework="pt") as file:
        for name in file.keys():
            yield getattr(torch, _NAMES.get(file.get_slice(name).get_dtype(), "uint8"))


def _of_saved(path: str) -> Iterable[torch.dtype]:
    saved = torch.load(path, map_location="meta", weights_only=True)
    return [value.dtype for value in saved.values() if isinstance(value, torch.Tensor)]


_NAMES = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16"}
# By the names that transformers looks for, in its order.
_FILES = (("model.safetensors", _of_safetensors), ("pytorch_model.bin", _of_saved))


def _first_part(path: str) -> str | None:
    """The file, or the first of those into which it is divided."""
    if os.path.isfile(path):
        return path
    index = f"{path}.index.json"
    if not os.path.isfile(index):
        return None
    with open(index) as file:
        parts = sorted(set(json.load(file)["weight_map"].values()))
    return os.path.join(os.path.dirname(path), parts[0]) if parts else None


def dtype_of(folder: object) -> torch.dtype | None:
    """None where the folder has no weights, or none that is floating."""
    if not isinstance(folder, (str, os.PathLike)) or not os.path.isdir(folder):
        return None
    for name, dtypes in _FILES:
        path = _first_part(os.path.join(folder, name))
        if path is not None and os.path.isfile(path):
            return next((dtype for dtype in dtypes(path) if dtype.is_floating_point), None)
    return None
