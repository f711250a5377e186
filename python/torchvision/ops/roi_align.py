"""torchvision.ops.roi_align as a module."""

from .pooling import RoIAlign as RoIAlign
from .pooling import roi_align as roi_align
