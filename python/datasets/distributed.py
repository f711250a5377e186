"""Shares of a data set, one for each rank."""

from __future__ import annotations

from typing import Any


def split_dataset_by_node(dataset: Any, rank: int, world_size: int) -> Any:
    return dataset.shard(num_shards=world_size, index=rank, contiguous=True)
