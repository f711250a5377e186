"""Models with fresh weights. Their layers and sizes are those of torchvision."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

from ._registry import get_model, get_model_builder, get_model_weights, get_weight, list_models, weights_class
from .resnet import (
    ResNet,
    resnet18,
    resnet34,
    resnet50,
    resnet101,
    resnet152,
    resnext50_32x4d,
    resnext101_32x8d,
    resnext101_64x4d,
    wide_resnet50_2,
    wide_resnet101_2,
)
from .vgg import VGG, vgg11, vgg11_bn, vgg13, vgg13_bn, vgg16, vgg16_bn, vgg19, vgg19_bn

if TYPE_CHECKING:
    from typing import Any


# Families that are loaded when they are asked for, by the beginnings of their names.
_FAMILIES = {
    "alexnet": "alexnet", "squeezenet": "squeezenet", "densenet": "densenet", "mobilenet_v2": "mobilenetv2", "mobilenetv2": "mobilenetv2",
    "mobilenet_v3": "mobilenetv3", "mobilenetv3": "mobilenetv3", "efficientnet": "efficientnet", "convnext": "convnext",
    "vit_": "vision_transformer", "visiontransformer": "vision_transformer", "vision_transformer": "vision_transformer",
    "inception": "inception", "_inception": "inception", "googlenet": "googlenet", "_googlenet": "googlenet", "shufflenet": "shufflenetv2",
    "_utils": "_utils",
}  # fmt: skip
_lacks = lacks("torchvision.models")


def __getattr__(name: str) -> Any:
    if name.endswith("_Weights"):
        return weights_class(name)
    for start, module in _FAMILIES.items():
        if name.lower().startswith(start):
            found = importlib.import_module(f"torchvision.models.{module}")
            if hasattr(found, module):
                globals()[module] = getattr(
                    found, module
                )  # where a builder has its file's name, it takes the file's place
            return found if name == module and not hasattr(found, name) else getattr(found, name)
    if name in ("feature_extraction", "detection", "segmentation", "video", "optical_flow", "quantization"):
        return importlib.import_module(f"torchvision.models.{name}")
    return _lacks(name)
