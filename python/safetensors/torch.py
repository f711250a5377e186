"""safetensors.torch: dictionaries of tensors and whole models, saved and loaded by shapes."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING

import torch

from ._format import NAMES, SafetensorError, TORCH_NAME, header_of, read_header
from ._open import safe_open

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


def storage_ptr(tensor: Tensor) -> int:
    return tensor.untyped_storage().data_ptr()


def storage_size(tensor: Tensor) -> int:
    return tensor.untyped_storage().nbytes()


def _check_saved(tensors):
    if not isinstance(tensors, dict):
        raise ValueError(f"Expected a dict of [str, torch.Tensor] but received {type(tensors)}")
    areas = []
    for name, tensor in tensors.items():
        if not isinstance(tensor, torch.Tensor):
            raise ValueError(f"Key `{name}` is invalid, expected torch.Tensor but received {type(tensor)}")
        if tensor.layout != torch.strided:
            raise ValueError(f"You are trying to save a sparse tensor: `{name}` which this library does not support.")
        if not tensor.is_contiguous():
            raise ValueError(f"You are trying to save a non contiguous tensor: `{name}` which is not allowed.")
        if hasattr(type(tensor), "_run_operator"):  # distributed tensors: the library asks for their own memory
            raise RuntimeError("Attempted to access the data pointer on an invalid python storage.")
        if tensor.numel() and tensor.device.type != "meta":
            areas.append((tensor.data_ptr(), tensor.data_ptr() + tensor.numel() * tensor.element_size(), name))
    doubled = _overlapping(areas)
    if doubled:
        raise RuntimeError(f"Some tensors share memory, this will lead to duplicate memory on disk: {doubled}")


def _overlapping(areas):
    """Sets of names of `(start, stop, name)` that lie over each other."""
    groups, end = [], -1
    for start, stop, name in sorted(areas):
        if start < end:
            groups[-1].add(name)
        else:
            groups.append({name})
        end = max(end, stop)
    return [names for names in groups if len(names) > 1]


def _entries(tensors):
    for name, tensor in tensors.items():
        kind = tensor.dtype.name
        if kind not in NAMES:
            raise SafetensorError(f"dtype {kind} is not supported")
        yield name, NAMES[kind][0], list(tensor.shape), tensor.numel() * tensor.element_size()


def save(tensors: dict[str, Tensor], metadata: dict[str, str] | None = None) -> bytes:
    """The bytes of a file; data is zeros."""
    _check_saved(tensors)
    start, size = header_of(list(_entries(tensors)), metadata)
    return start + bytes(size)


def save_file(tensors: dict[str, Tensor], filename: Any, metadata: dict[str, str] | None = None) -> None:
    """Writes the header; the file has its length and no data."""
    _check_saved(tensors)
    start, size = header_of(list(_entries(tensors)), metadata)
    with open(os.fspath(filename), "wb") as file:
        file.write(start)
        if size <= 1 << 20:
            file.write(bytes(size))


def load_file(filename: Any, device: str | int = "cpu") -> dict[str, Tensor]:
    with safe_open(
        filename, framework="pt", device=str(device) if not isinstance(device, int) else f"cuda:{device}"
    ) as file:
        return {name: file.get_tensor(name) for name in file.offset_keys()}


def load(data: bytes) -> dict[str, Tensor]:
    import io

    header = read_header(io.BytesIO(data))
    header.pop("__metadata__", None)
    return {name: torch.empty(e["shape"], dtype=getattr(torch, TORCH_NAME[e["dtype"]])) for name, e in header.items()}


def _is_complete(tensor):
    return tensor.data_ptr() == storage_ptr(tensor) and tensor.nelement() * tensor.element_size() == storage_size(
        tensor
    )


def _find_shared_tensors(state_dict):
    """Sets of names that share a storage; every tensor is in one."""
    found = defaultdict(set)
    for name, tensor in state_dict.items():
        if tensor.device != torch.device("meta") and storage_size(tensor):
            found[(tensor.device, storage_ptr(tensor), storage_size(tensor))].add(name)
    return sorted(found.values(), key=sorted)


def _remove_duplicate_names(state_dict, *, preferred_names=None, discard_names=None):
    preferred, discard = set(preferred_names or ()), set(discard_names or ())
    removed = defaultdict(list)
    for shared in _find_shared_tensors(state_dict):
        complete = {name for name in shared if _is_complete(state_dict[name])}
        if not complete:
            raise RuntimeError(f"Error while trying to find names to remove to save state dict: {shared}")
        keep = sorted(complete)[0]
        keep = next(iter(sorted(complete.difference(discard))), keep)
        keep = next(iter(sorted(preferred.intersection(complete))), keep)
        removed[keep] += [name for name in sorted(shared) if name != keep]
    return {keep: names for keep, names in removed.items() if names}


def save_model(
    model: torch.nn.Module, filename: str, metadata: dict[str, str] | None = None, force_contiguous: bool = True
) -> None:
    state, metadata = model.state_dict(), dict(metadata or {})
    for kept, names in _remove_duplicate_names(state).items():
        for name in names:
            metadata.setdefault(name, kept)
            del state[name]
    if force_contiguous:
        state = {name: tensor.contiguous() for name, tensor in state.items()}
    save_file(state, filename, metadata=metadata)


def load_model(
    model: torch.nn.Module, filename: Any, strict: bool = True, device: str | int = "cpu"
) -> tuple[list[str], list[str]]:
    state = load_file(filename, device=device)
    kept = model.state_dict()
    doubled = _remove_duplicate_names(kept, preferred_names=state.keys())
    missing, unexpected = model.load_state_dict(state, strict=False)
    missing = set(missing)
    for names in doubled.values():
        for name in names:
            missing.discard(name)
    if strict and (missing or unexpected):
        raise RuntimeError(
            f"Error(s) in loading state_dict for {type(model).__name__}: missing {missing}, unexpected {unexpected}"
        )
    return missing, unexpected


def _to_ndarray(tensor):
    return tensor.numpy()
