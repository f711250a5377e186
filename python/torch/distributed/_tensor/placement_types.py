"""torch.distributed._tensor.placement_types: the former name."""

from ..tensor.placement_types import *  # noqa: F403
