"""Weights without values: the header of a safetensors file with the names, shapes and dtypes that a model's checkpoint has."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from safetensors._format import NAMES, header_of

from ._quantized import packed
from ._repositories import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    import torch


def header(entries: Any) -> Any:
    """Bytes of a file of `(name, tensor, dtype name or None)`: floating-point tensors become the dtype where one is given."""
    rows = []
    for name, tensor, dtype in entries:
        kind = dtype if dtype is not None and tensor.is_floating_point() else tensor.dtype.name
        short, size = NAMES[kind]
        rows.append((name, short, tensor.shape, tensor.numel() * size))
    return header_of(rows, {"format": "pt"})[0]


@contextlib.contextmanager
def without_memory() -> Iterator[Any]:
    """Modules made inside have shapes only, and nothing is said about them."""
    import torch

    with torch.device("meta"), torch.no_grad():
        yield


def own_tensors(module: torch.nn.Module) -> Iterator[Any]:
    """Names and tensors of a state dictionary, shared ones once, by the first name."""
    seen = set()
    for name, tensor in module.state_dict(keep_vars=True).items():
        if hasattr(tensor, "shape") and id(tensor) not in seen:
            seen.add(id(tensor))
            yield name, tensor


def dtype_of(config: Any, default: str = "float32") -> Any:
    """The name of the dtype that a configuration gives its checkpoint."""
    for part in (config, config.get("text_config") or {}):
        found = part.get("dtype") or part.get("torch_dtype")
        if found:
            return str(found).removeprefix("torch.")
    return default


def of_transformers(repo_id: str, config: Any) -> Any:
    """The header for a model of transformers, with the names that its checkpoints have."""
    import transformers

    named = (config.get("architectures") or ["?"])[0]
    kind = getattr(transformers, named, None)
    if kind is None:
        raise OSError(
            f"vramscope: the weights of {repo_id} need {named}, which transformers {transformers.__version__} does not have"
        )
    return of_class(repo_id, kind, config)


def of_class(repo_id: str, kind: Callable, config: Any) -> Any:
    """The header for a class that takes this configuration."""
    import transformers

    made = transformers.AutoConfig.for_model(**config)
    with _quiet(transformers), without_memory():
        model = kind(made)
    ignored = getattr(model, "_keys_to_ignore_on_save", None) or ()
    tensors = {name: tensor for name, tensor in own_tensors(model) if name not in ignored}
    dtype = dtype_of(config)
    whole = packed(repo_id, model, config, tensors)
    # what lies packed, and its scales, keep their own dtype
    own = {id(tensor) for name, tensor in whole.items() if tensor is not tensors.get(name)}
    saved = _as_saved(model, whole)
    say("hub_weights", repo_id, dtype=dtype, tensors=len(saved))
    return header((name, tensor, None if id(tensor) in own else dtype) for name, tensor in saved.items())


def _as_saved(model, tensors):
    """The names of a checkpoint, where the library renames and joins them while it loads."""
    try:
        from transformers.core_model_loading import revert_weight_conversion
    except ImportError:  # a release before 5
        return tensors
    return revert_weight_conversion(model, tensors)


@contextlib.contextmanager
def _quiet(transformers):
    """What making the model would log twice; the short form of transformers logs nothing."""
    log = getattr(getattr(transformers, "utils", None), "logging", None)
    if log is None:
        yield
        return
    level = log.get_verbosity()
    log.set_verbosity_error()
    try:
        yield
    finally:
        log.set_verbosity(level)
