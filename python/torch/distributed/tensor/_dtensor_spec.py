"""torch.distributed.tensor._dtensor_spec: under PyTorch's own name what a distributed tensor says of its mesh, placements and global shape."""

from ._spec import DTensorSpec as DTensorSpec
from ._spec import TensorMeta as TensorMeta
