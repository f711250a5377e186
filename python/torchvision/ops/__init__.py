"""torchvision.ops: layers, boxes and pooling of regions."""

from torch._stand_ins import lacks

from . import boxes, misc
from .boxes import (
    batched_nms,
    box_area,
    box_convert,
    box_iou,
    clip_boxes_to_image,
    generalized_box_iou,
    masks_to_boxes,
    nms,
    remove_small_boxes,
)
from .losses import drop_block2d, sigmoid_focal_loss
from .misc import MLP, Conv2dNormActivation, Conv3dNormActivation, FrozenBatchNorm2d, Permute, SqueezeExcitation
from .pooling import PSRoIAlign, PSRoIPool, RoIAlign, RoIPool, ps_roi_align, ps_roi_pool, roi_align, roi_pool
from .stochastic_depth import StochasticDepth, stochastic_depth

__getattr__ = lacks("torchvision.ops")
