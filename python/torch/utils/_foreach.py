"""Lists of tensors for the foreach operators: grouping, and whether they may be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._release import rules

if TYPE_CHECKING:
    from typing import Any


def group_with_indices(lists: Any) -> dict[tuple, tuple[list, list]]:
    """{(device, dtype): (lists of the same meaning, positions)}, by the tensors of the first list.

    From 2.1 PyTorch groups in C++ with a hash map that new keys enter at the front, so the group that appeared last
    comes first (observed with real PyTorch, 2.6 and 2.14).
    """
    groups = {}
    for i, tensor in enumerate(lists[0]):
        key = (tensor.device, tensor.dtype)
        if key not in groups:
            groups[key] = ([[] for _ in lists], [])
        found, positions = groups[key]
        positions.append(i)
        for out, source in zip(found, lists):
            if source:
                out.append(source[i])
    if rules.foreach_groups_reversed:
        return dict(reversed(groups.items()))
    return groups


def group_by_device_and_dtype(lists: Any) -> dict[tuple, list[list]]:
    return {key: found for key, (found, _) in group_with_indices(lists).items()}


def may_use_foreach(tensors: list, foreach: bool | None = None) -> bool:
    """foreach as asked for, or if not said, where PyTorch has the kernels: plain tensors on the GPU."""
    if foreach is not None:
        return bool(foreach)
    return all(t is None or (t.is_cuda and type(t) in _supported()) for t in tensors)


# Classes whose tensors the foreach operators take; packages of such classes add theirs.
supported_types = []


def _supported():
    return (torch.Tensor, torch.nn.Parameter, *supported_types)
