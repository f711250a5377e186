"""torch.distributed.tensor.device_mesh: meshes under this name."""

from ..device_mesh import *  # noqa: F403
