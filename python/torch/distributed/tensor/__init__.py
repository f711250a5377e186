"""torch.distributed.tensor: tensors over a mesh of ranks."""

from ..device_mesh import DeviceMesh, init_device_mesh
from ._api import distribute_module, distribute_tensor, empty, full, ones, rand, randn, zeros
from ._dtensor import DTensor
from ._spec import DTensorSpec
from torch.utils._foreach import supported_types as _supported_types
from .placement_types import Partial, Placement, Replicate, Shard

_supported_types.append(DTensor)
