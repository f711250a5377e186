"""DTensorSpec: the mesh, the placements and the global geometry of a distributed tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .placement_types import Shard

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import torch
    from torch.distributed.device_mesh import DeviceMesh


class TensorMeta:
    """Global shape, strides and dtype."""

    def __init__(self, shape: Sequence[int], stride: int | Sequence[int], dtype: torch.dtype) -> None:
        import torch

        self.shape, self.stride, self.dtype = torch.Size(shape), tuple(stride), dtype

    def __eq__(self, other: object) -> bool:
        return (self.shape, self.stride, self.dtype) == (other.shape, other.stride, other.dtype)


_numbers = {}  # (mesh, placements, geometry) -> number of the specs that are alike


class DTensorSpec:
    """Where and how a tensor lies."""

    _number = None

    def __init__(self, mesh: Any, placements: Any, tensor_meta: Any = None) -> None:
        self.mesh, self.placements, self.tensor_meta = mesh, tuple(placements), tensor_meta

    def number(self) -> int:
        """One number for all specs that are alike: quicker to compare than what it stands for."""
        number = self._number
        if number is None:
            meta = self.tensor_meta
            key = (self.mesh, self.placements, meta.shape, meta.stride, meta.dtype)
            number = self._number = _numbers.setdefault(key, len(_numbers))
        return number

    @property
    def device_mesh(self) -> DeviceMesh:
        return self.mesh

    @property
    def shape(self) -> torch.Size:
        return self.tensor_meta.shape

    @property
    def stride(self) -> tuple[int, ...]:
        return self.tensor_meta.stride

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def num_shards(self) -> int:
        count = 1
        for i, placement in enumerate(self.placements):
            if isinstance(placement, Shard):
                count *= self.mesh.size(i)
        return count

    @property
    def num_shards_map(self) -> list[int]:
        counts = [1] * self.ndim
        for i, placement in enumerate(self.placements):
            if isinstance(placement, Shard):
                counts[placement.dim] *= self.mesh.size(i)
        return counts

    def is_replicated(self) -> bool:
        return all(placement.is_replicate() for placement in self.placements)

    def __eq__(self, other: object) -> bool:
        return self.mesh == other.mesh and self.placements == other.placements and self.tensor_meta == other.tensor_meta

    def __hash__(self) -> int:
        return hash((self.mesh, self.placements))

    def __repr__(self) -> str:
        return f"DTensorSpec({self.placements} on {self.mesh})"


def local_shape_of(shape: Sequence[int], mesh: Any, placements: Any) -> Any:
    """The shape of this rank's part."""
    shape, place = list(shape), mesh.get_coordinate()
    for axis, placement in enumerate(placements):
        if isinstance(placement, Shard):
            shape[placement.dim] = Shard.local_shard_size_and_offset(
                shape[placement.dim], mesh.size(axis), place[axis]
            )[0]
    return shape


def global_offset_of(shape: Sequence[int], mesh: Any, placements: Any) -> Any:
    """Where this rank's part begins along each dimension."""
    shape, place, offset = list(shape), mesh.get_coordinate(), [0] * len(shape)
    for axis, placement in enumerate(placements):
        if isinstance(placement, Shard):
            dim = placement.dim
            shape[dim], start = Shard.local_shard_size_and_offset(shape[dim], mesh.size(axis), place[axis])
            offset[dim] += start
    return offset


def global_info(local: Any, mesh: Any, placements: Any) -> tuple:
    """The global shape and strides that a local tensor stands for, when all parts are alike."""
    shape, stride = list(local.shape), list(local.stride())
    for axis, placement in enumerate(placements):
        if isinstance(placement, Shard):
            dim, count = placement.dim, mesh.size(axis)
            if dim < 0:
                raise AssertionError(
                    f"Shard placements should have negative dims normalized in the user-facing APIs: {placement}"
                )
            shape[dim] *= count
            for i in range(len(stride)):
                if i != dim and stride[i] >= stride[dim]:
                    stride[i] *= count
    return shape, stride


def normalized(placements: Any, ndim: Any) -> tuple:
    """Placements with dimensions counted from the front."""
    out = []
    for placement in placements:
        if type(placement) is Shard and placement.dim < 0:
            placement = Shard(placement.dim + ndim)
        out.append(placement)
    return tuple(out)
