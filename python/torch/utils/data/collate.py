"""Samples into a batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _is_array(value):
    return type(value).__module__ == "numpy" and type(value).__name__ not in ("str_", "string_")


def _many(values, like):
    try:
        return type(like)(values)
    except TypeError:
        return list(values)


def default_convert(data: Any) -> Any:
    if isinstance(data, torch.Tensor):
        return data
    if _is_array(data):
        return torch.as_tensor(data)
    if isinstance(data, Mapping):
        return {key: default_convert(value) for key, value in data.items()}
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(d) for d in data))
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return (
            _many([default_convert(d) for d in data], data)
            if not isinstance(data, tuple)
            else [default_convert(d) for d in data]
        )
    return data


def collate_tensor_fn(batch: Any, *, collate_fn_map: Any = None) -> torch.Tensor:
    return torch.stack(batch, 0)


# how kinds of samples become a batch, beside those that are known below; packages put their own kinds in
default_collate_fn_map: dict[Any, Callable] = {torch.Tensor: collate_tensor_fn}


def collate(batch: Any, *, collate_fn_map: Any = None) -> Any:
    """A batch of samples, by the function of their kind where the map has one."""
    first = batch[0]
    for kind, function in (collate_fn_map or {}).items():
        if isinstance(first, kind):
            return function(batch, collate_fn_map=collate_fn_map)
    return _collated(batch, lambda part: collate(part, collate_fn_map=collate_fn_map))


def default_collate(batch: Any) -> Any:
    if len(default_collate_fn_map) > 1:
        return collate(batch, collate_fn_map=default_collate_fn_map)
    return _collated(batch, default_collate)


def _collated(batch: Any, default_collate: Callable) -> Any:
    first = batch[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(batch, 0)
    if _is_array(first):
        if getattr(first, "shape", None) == ():
            return torch.as_tensor(batch)
        whole = _stacked(batch)
        return default_collate([torch.as_tensor(b) for b in batch]) if whole is None else whole
    if isinstance(first, float):
        return torch.tensor(batch, dtype=torch.float64)
    if isinstance(first, int):
        return torch.tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        collated = {key: default_collate([d[key] for d in batch]) for key in first}
        return collated if type(first) is dict else _many(collated, first)
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(samples) for samples in zip(*batch)))
    if isinstance(first, Sequence):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        collated = [default_collate(samples) for samples in zip(*batch)]
        return collated if isinstance(first, tuple) else _many(collated, first)
    raise TypeError(
        f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {type(first)}"
    )


def _stacked(arrays):
    """One tensor of arrays that are alike, without a tensor for each; None where they are not."""
    import numpy

    first = arrays[0]
    shape, kind = first.shape, first.dtype
    if type(first) is not numpy.ndarray or kind.kind not in "biuf":
        return None
    if any(type(a) is not numpy.ndarray or a.shape != shape or a.dtype != kind for a in arrays):
        return None
    return torch.as_tensor(numpy.stack(arrays))


def pin(data: Any) -> Any:
    if isinstance(data, torch.Tensor):
        return data.pin_memory()
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, Mapping):
        return _many({key: pin(value) for key, value in data.items()}, data)
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(pin(d) for d in data))
    if isinstance(data, tuple):
        return [pin(d) for d in data]
    if isinstance(data, Sequence):
        return _many([pin(d) for d in data], data)
    return data.pin_memory() if hasattr(data, "pin_memory") else data
