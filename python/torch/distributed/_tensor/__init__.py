"""torch.distributed._tensor: the former name of torch.distributed.tensor."""

from ..tensor import *  # noqa: F403
from ..tensor import DeviceMesh, DTensor, Partial, Placement, Replicate, Shard, distribute_module, distribute_tensor
