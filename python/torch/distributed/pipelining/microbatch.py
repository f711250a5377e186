"""Splits a batch into micro-batches and puts their results together (torch/distributed/pipelining/microbatch.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


class TensorChunkSpec:
    """Along which dimension a tensor is split."""

    def __init__(self, split_dim: Any) -> None:
        self.split_dim = split_dim

    def __repr__(self) -> str:
        return f"torch.distributed.pipelining.microbatch.TensorChunkSpec({self.split_dim})"

    def __str__(self) -> str:
        return f"TensorChunkSpec({self.split_dim})"

    @staticmethod
    def from_tuple(chunk_dims: tuple[int, ...]) -> Any:
        return tree_map(TensorChunkSpec, chunk_dims)

    @staticmethod
    def from_dict(chunk_dims: dict[str, int]) -> Any:
        return tree_map(TensorChunkSpec, chunk_dims)


class _Replicate:
    """The same value for each micro-batch."""


def _replicates(spec):
    return spec is _Replicate or isinstance(spec, _Replicate)


def split_tensor(tensor: Tensor, spec: Any, count: int) -> Any:
    if tensor.size(spec.split_dim) < count:
        raise AssertionError(f"Tensor size {tensor.size(spec.split_dim)} is smaller than num_chunks")
    chunks = torch.tensor_split(tensor, count, spec.split_dim)
    if tensor.requires_grad and tensor.is_leaf:
        for chunk in chunks:
            chunk.retain_grad()
    return chunks


_split_tensor = split_tensor


def _split_dict(values, specs, count):
    if not values:
        return [{} for _ in range(count)]
    if len(values) != len(specs):
        raise AssertionError(f"args_dict.keys() = {list(values)} args_chunk_spec.keys() = {list(specs)}")
    flat, tree = tree_flatten(values)
    flat_specs, _ = tree_flatten(specs)
    sizes = []
    for value, spec in zip(flat, flat_specs, strict=True):
        if _replicates(spec):
            sizes.append(count)
        elif isinstance(value, torch.Tensor) and isinstance(spec, TensorChunkSpec):
            sizes.append(value.size(spec.split_dim))
        else:
            raise ValueError(f"Unsupported chunk spec: {spec} and value: {value} combination.")
    count = min(*sizes, count)
    parts = [[] for _ in range(count)]
    for value, spec in zip(flat, flat_specs, strict=True):
        split = [value] * count if _replicates(spec) else split_tensor(value, spec, count)
        for part, piece in zip(parts, split, strict=True):
            part.append(piece)
    return [tree_unflatten(part, tree) for part in parts]


def split_args_kwargs_into_chunks(
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    chunks: int,
    args_chunk_spec: tuple[TensorChunkSpec, ...] | None = None,
    kwargs_chunk_spec: dict[str, TensorChunkSpec] | None = None,
) -> tuple[list[tuple], list[dict]]:
    kwargs = kwargs or {}

    def default(value):
        return TensorChunkSpec(0) if isinstance(value, torch.Tensor) else _Replicate()

    if args_chunk_spec is None:
        args_chunk_spec = tree_map(default, args)
    if kwargs_chunk_spec is None:
        kwargs_chunk_spec = tree_map(default, kwargs)
    numbered, specs = dict(enumerate(args)), dict(enumerate(args_chunk_spec))
    split = _split_dict(numbered, specs, chunks)
    kwargs_split = _split_dict(kwargs, kwargs_chunk_spec, len(split))
    if len(kwargs_split) < len(split):
        split = _split_dict(numbered, specs, len(kwargs_split))
    if len(split) != len(kwargs_split):
        raise RuntimeError(
            f"args and kwargs are split into different number of chunks: {len(split)}, {len(kwargs_split)}"
        )
    return [tuple(part[i] for i in range(len(part))) for part in split], kwargs_split


def merge_chunks(chunks: list, chunk_spec: Any) -> Any:
    """The results of all micro-batches as one."""
    if chunk_spec is None:
        flat, tree = tree_flatten(chunks[0])
        specs = [TensorChunkSpec(0)] * len(flat)
        del flat
    else:
        specs, tree = tree_flatten(chunk_spec)
    rows = [tree_flatten(chunk)[0] for chunk in chunks]
    for row, chunk in zip(rows, chunks):
        if len(row) != len(specs):
            raise ValueError(f"Chunk {chunk} did not match chunk spec {chunk_spec}")
    merged = []
    for i, spec in enumerate(specs):
        values = [row[i] for row in rows]
        if isinstance(spec, TensorChunkSpec):
            merged.append(torch.cat(values, dim=spec.split_dim))
        elif hasattr(spec, "reduce_fn"):
            reduced = spec.init_value
            for value in values:
                reduced = spec.reduce_fn(reduced, value)
            merged.append(reduced)
        else:
            merged.append(values[0])
    return tree_unflatten(merged, tree)
