"""A tensor of which a rank holds some rows, as FSDP1's sharded state dicts give it (torch/distributed/_shard/sharded_tensor)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor


class LocalShard:
    """This rank's rows."""

    def __init__(self, tensor: Tensor, offsets: Any) -> None:
        self.tensor, self.shard_offsets = tensor, offsets


class ShardedTensor:
    """At most one shard on each rank, along the first dimension."""

    def __init__(
        self,
        local: Any,
        size: int | Sequence[int],
        offset: Any,
        process_group: torch.distributed.ProcessGroup,
        dtype: torch.dtype | None = None,
    ) -> None:
        self._shards = [] if local is None else [LocalShard(local, [offset] + [0] * (len(size) - 1))]
        self._size, self._process_group = torch.Size(size), process_group
        self.dtype = dtype or (local.dtype if local is not None else torch.float32)
        self.requires_grad = False

    @classmethod
    def chunked(cls, tensor: Tensor, process_group: torch.distributed.ProcessGroup) -> Any:
        """Keeps a copy of this rank's rows of a whole tensor."""
        rank, world = process_group.rank(), process_group.size()
        chunks = tensor.chunk(world, dim=0)
        local = chunks[rank].clone() if rank < len(chunks) else None
        return cls(local, tensor.size(), -(-tensor.size(0) // world) * rank, process_group, tensor.dtype)

    def local_shards(self) -> Any:
        return self._shards

    def local_tensor(self) -> Tensor:
        if len(self._shards) != 1:
            raise NotImplementedError("Only single local shard is supported.")
        return self._shards[0].tensor

    def size(self, dim: int | None = None) -> int:
        return self._size if dim is None else self._size[dim]

    @property
    def shape(self) -> torch.Size:
        return self._size

    def dim(self) -> int:
        return len(self._size)

    def numel(self) -> int:
        return self._size.numel()

    @property
    def device(self) -> torch.device:
        return self._shards[0].tensor.device if self._shards else torch.device("cuda", torch.cuda.current_device())

    def _with(self, change):
        made = ShardedTensor(None, self._size, 0, self._process_group, self.dtype)
        made._shards = [LocalShard(change(shard.tensor), shard.shard_offsets) for shard in self._shards]
        return made

    def cpu(self) -> ShardedTensor:
        return self._with(lambda t: t.cpu())

    def to(self, *args: Any, **kwargs: Any) -> ShardedTensor:
        return self._with(lambda t: t.to(*args, **kwargs))

    def cuda(self) -> ShardedTensor:
        return self._with(lambda t: t.cuda())
