"""DTensorSpec: the mesh, the placements and the global geometry of a distributed tensor."""

from .placement_types import Shard


class TensorMeta:
    """Global shape, strides and dtype."""

    def __init__(self, shape, stride, dtype):
        import torch

        self.shape, self.stride, self.dtype = torch.Size(shape), tuple(stride), dtype

    def __eq__(self, other):
        return (self.shape, self.stride, self.dtype) == (other.shape, other.stride, other.dtype)


class DTensorSpec:
    """Where and how a tensor lies."""

    def __init__(self, mesh, placements, tensor_meta=None):
        self.mesh, self.placements, self.tensor_meta = mesh, tuple(placements), tensor_meta

    @property
    def device_mesh(self):
        return self.mesh

    @property
    def shape(self):
        return self.tensor_meta.shape

    @property
    def stride(self):
        return self.tensor_meta.stride

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def num_shards(self):
        count = 1
        for i, placement in enumerate(self.placements):
            if isinstance(placement, Shard):
                count *= self.mesh.size(i)
        return count

    @property
    def num_shards_map(self):
        counts = [1] * self.ndim
        for i, placement in enumerate(self.placements):
            if isinstance(placement, Shard):
                counts[placement.dim] *= self.mesh.size(i)
        return counts

    def is_replicated(self):
        return all(placement.is_replicate() for placement in self.placements)

    def __eq__(self, other):
        return self.mesh == other.mesh and self.placements == other.placements and self.tensor_meta == other.tensor_meta

    def __hash__(self):
        return hash((self.mesh, self.placements))

    def __repr__(self):
        return f"DTensorSpec({self.placements} on {self.mesh})"


def local_shape_of(shape, mesh, placements):
    """The shape of this rank's part."""
    shape, place = list(shape), mesh.get_coordinate()
    for axis, placement in enumerate(placements):
        if isinstance(placement, Shard):
            shape[placement.dim] = Shard.local_shard_size_and_offset(
                shape[placement.dim], mesh.size(axis), place[axis]
            )[0]
    return shape


def global_offset_of(shape, mesh, placements):
    """Where this rank's part begins along each dimension."""
    shape, place, offset = list(shape), mesh.get_coordinate(), [0] * len(shape)
    for axis, placement in enumerate(placements):
        if isinstance(placement, Shard):
            dim = placement.dim
            shape[dim], start = Shard.local_shard_size_and_offset(shape[dim], mesh.size(axis), place[axis])
            offset[dim] += start
    return offset


def global_info(local, mesh, placements):
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


def normalized(placements, ndim):
    """Placements with dimensions counted from the front."""
    out = []
    for placement in placements:
        if type(placement) is Shard and placement.dim < 0:
            placement = Shard(placement.dim + ndim)
        out.append(placement)
    return tuple(out)
