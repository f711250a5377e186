"""How a state's tensors are spread over files, as huggingface_hub does: in their order, each file up to a size."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

__all__ = ["StateDictSplit", "split_torch_state_dict_into_shards"]

_UNITS = {"TB": 10**12, "GB": 10**9, "MB": 10**6, "KB": 10**3}


@dataclass
class StateDictSplit:
    is_sharded: bool = field(init=False)
    metadata: dict[str, Any]
    filename_to_tensors: dict[str, list[str]]
    tensor_to_filename: dict[str, str]

    def __post_init__(self) -> None:
        self.is_sharded = len(self.filename_to_tensors) > 1


def _bytes(size: int | str) -> int:
    if isinstance(size, int):
        return size
    said = re.fullmatch(r"(\d+)\s*([KMGT]B)", size.strip().upper())
    if said is None:
        raise ValueError(f"Size '{size}' is not in a valid format. Use an integer followed by the unit, like '5GB'.")
    return int(said[1]) * _UNITS[said[2]]


def split_torch_state_dict_into_shards(
    state_dict: dict[str, Any],
    *,
    filename_pattern: str = "model{suffix}.safetensors",
    max_shard_size: int | str = "5GB",
) -> StateDictSplit:
    most, total, filled = _bytes(max_shard_size), 0, 0
    firsts: dict[Any, list[str]] = {}  # storage -> the names whose tensors lie in it
    alone: list[list[str]] = []
    current: list[str] = []
    for name, tensor in state_dict.items():
        if isinstance(tensor, str):
            continue
        size = tensor.untyped_storage().nbytes()
        storage = (tensor.device, tensor.untyped_storage().data_ptr(), size)
        if storage in firsts:
            firsts[storage].append(name)
            continue
        firsts[storage] = [name]
        total += size
        if size > most:
            alone.append([name])
            continue
        if filled + size > most:
            alone.append(current)
            current, filled = [], 0
        current.append(name)
        filled += size
    shards = [*alone, current] if current else alone
    beside = {names[0]: names[1:] for names in firsts.values()}
    count = len(shards)
    files = {}
    for index, names in enumerate(shards):
        suffix = "" if count == 1 else f"-{index + 1:05d}-of-{count:05d}"
        files[filename_pattern.format(suffix=suffix)] = names + [n for name in names for n in beside[name]]
    return StateDictSplit(
        metadata={"total_size": total},
        filename_to_tensors=files,
        tensor_to_filename={name: file for file, names in files.items() for name in names},
    )
