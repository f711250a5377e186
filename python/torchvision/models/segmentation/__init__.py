"""torchvision.models.segmentation: FCN and DeepLab v3 on ResNets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from .deeplabv3 import DeepLabV3, deeplabv3_resnet50, deeplabv3_resnet101
from .fcn import FCN, fcn_resnet50, fcn_resnet101

if TYPE_CHECKING:
    from typing import Any


_lacks = lacks("torchvision.models.segmentation")


def __getattr__(name: str) -> Any:
    if name.endswith("_Weights"):
        from .._registry import weights_class

        return weights_class(name)
    return _lacks(name)
