"""A backbone whose layers are asked for by name, a head on the last and perhaps one on an earlier, both in the size of the image."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from torch import nn
from torch.nn import functional as F

from .. import resnet
from .._registry import register
from .._utils import IntermediateLayerGetter

if TYPE_CHECKING:
    from typing import Any

    import torch
    from torch import Tensor


class _SimpleSegmentationModel(nn.Module):
    __constants__ = ["aux_classifier"]

    def __init__(
        self, backbone: torch.nn.Module, classifier: torch.nn.Module, aux_classifier: torch.nn.Module | None = None
    ) -> None:
        super().__init__()
        self.backbone, self.classifier, self.aux_classifier = backbone, classifier, aux_classifier

    def forward(self, x: Tensor) -> dict[str, Tensor]:
        input_shape = x.shape[-2:]
        features = self.backbone(x)
        result = OrderedDict()
        x = features["out"]
        x = self.classifier(x)
        x = F.interpolate(x, size=input_shape, mode="bilinear", align_corners=False)
        result["out"] = x
        if self.aux_classifier is not None:
            x = features["aux"]
            x = self.aux_classifier(x)
            x = F.interpolate(x, size=input_shape, mode="bilinear", align_corners=False)
            result["aux"] = x
        return result


def on_resnet(kind: Any, depth: Any, head: Any, aux_head: Any) -> Any:
    """A builder: with published weights comes a second head."""
    name = f"{kind.__name__.lower()}_resnet{depth}"

    def build(
        *,
        weights=None,
        progress=True,
        num_classes=None,
        aux_loss=None,
        weights_backbone=None,
        pretrained=None,
        **options,
    ):
        has_weights = weights is not None or pretrained
        if has_weights:
            from torch._stand_ins import note

            note("pretrained_weights", "library", f"torchvision.models.segmentation.{name}")
        num_classes = num_classes or 21
        layers = {"layer4": "out", **({"layer3": "aux"} if aux_loss or has_weights else {})}
        backbone = getattr(resnet, f"resnet{depth}")(replace_stride_with_dilation=[False, True, True])
        aux = aux_head(1024, num_classes) if "layer3" in layers else None
        return kind(IntermediateLayerGetter(backbone, return_layers=layers), head(2048, num_classes), aux)

    build.__name__ = build.__qualname__ = name
    return register(build)
