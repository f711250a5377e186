"""torchvision.transforms.v2.functional: the functions of torchvision.transforms.functional."""

from torch._stand_ins import lacks

from ..functional import *  # noqa: F403
from .. import InterpolationMode as InterpolationMode

__getattr__ = lacks("torchvision.transforms.v2.functional")
