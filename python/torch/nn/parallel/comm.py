"""Copies between the GPUs of one process, as torch/csrc/cuda/comm.cpp and nn/parallel/comm.py make them; NCCL adds and broadcasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ..._utils import _flatten_dense_tensors, _take_tensors, _unflatten_dense_tensors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor
    from torch.distributed._nccl import Work


_BUFFER_BYTES = 10485760


def _on(index):
    return torch.device("cuda", torch.cuda._devices.ordinal(index))


def broadcast(tensor: Tensor, devices: Any = None, *, out: Tensor | None = None) -> Any:
    if out is not None:
        for other in out:
            other.copy_(tensor)
        return tuple(out)
    copies = [tensor]
    for device in devices[1:]:
        copies.append(torch.empty_like(tensor, device=_on(device)))
    return tuple(copies)


def broadcast_coalesced(tensors: Sequence[Tensor], devices: Any, buffer_size: int = _BUFFER_BYTES) -> Any:
    """The tensors themselves for the first device, views of flat copies for the others."""
    tensors = list(tensors)
    outputs = [tensors, *([None] * len(tensors) for _ in devices[1:])]
    place = {id(tensor): i for i, tensor in enumerate(tensors)}
    for chunk in _take_tensors(tensors, buffer_size):
        with torch.no_grad():
            copies = broadcast(_flatten_dense_tensors(chunk), devices)
        for output, flat in zip(outputs[1:], copies[1:]):
            for tensor, view in zip(chunk, _unflatten_dense_tensors(flat, chunk)):
                output[place[id(tensor)]] = view.data
        del copies, flat, view
    return outputs


def reduce_add(inputs: Any, destination: Any = None) -> Any:
    """The sum of tensors on several GPUs, on one of them."""
    destination = torch.cuda._devices.ordinal(destination)
    root = next((t for t in inputs if t.get_device() == destination), None)
    if root is None:
        raise RuntimeError("reduce_add expects destination to be on the same GPU with one of the tensors")
    for t in inputs:
        if t.size() != root.size():
            raise ValueError(f"input {inputs.index(t)} has invalid size: got {t.size()}, but expected {root.size()}")
    return root if len(inputs) == 1 else torch.empty_like(root)


def reduce_add_coalesced(inputs: Any, destination: Any = None, buffer_size: int = _BUFFER_BYTES) -> tuple:
    first = list(inputs[0])
    sums = [None] * len(first)
    place = {id(tensor): i for i, tensor in enumerate(first)}
    for chunks in zip(*(_take_tensors(tensors, buffer_size) for tensors in inputs)):
        flat_tensors = [_flatten_dense_tensors(chunk) for chunk in chunks]
        flat_result = reduce_add(flat_tensors, destination)
        for tensor, view in zip(chunks[0], _unflatten_dense_tensors(flat_result, chunks[0])):
            sums[place[id(tensor)]] = view.data
    return tuple(sums)


def scatter(
    tensor: Tensor,
    devices: Any = None,
    chunk_sizes: Sequence[int] | None = None,
    dim: int = 0,
    streams: Any = None,
    *,
    out: Tensor | None = None,
) -> Tensor | tuple[Tensor, ...] | list | Work | None:
    if out is not None:
        for part, into in zip(tensor.split([t.size(dim) for t in out], dim), out):
            into.copy_(part)
        return tuple(out)
    chunks = list(tensor.split(list(chunk_sizes), dim) if chunk_sizes is not None else tensor.chunk(len(devices), dim))
    for i, device in enumerate(devices[: len(chunks)]):
        if streams is not None and streams[i] is not None:
            with torch.cuda.stream(streams[i]):
                chunks[i] = chunks[i].to(_on(device), non_blocking=True)
        else:
            chunks[i] = chunks[i].to(_on(device), non_blocking=True)
    return tuple(chunks)


def gather(tensors: Sequence[Tensor], dim: int = 0, destination: Any = None, *, out: Tensor | None = None) -> Any:
    sizes = list(tensors[0].shape)
    dim = dim % len(sizes)
    sizes[dim] = sum(t.size(dim) for t in tensors)
    if out is None:
        place = torch.device("cpu") if str(destination) in ("cpu", "-1") else _on(destination)
        out = torch.empty(sizes, dtype=tensors[0].dtype, device=place)
    for part, tensor in zip(out.split([t.size(dim) for t in tensors], dim), tensors):
        part.copy_(tensor, non_blocking=True)
    return out
