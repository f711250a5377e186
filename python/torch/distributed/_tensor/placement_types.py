"""torch.distributed._tensor.placement_types: the former name."""

from ..tensor._dtensor_spec import *  # noqa: F403
from ..tensor.placement_types import *  # noqa: F403
