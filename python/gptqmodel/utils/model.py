"""What happens to a whole model when its weights are there. gptqmodel/utils/model.py: hf_gptqmodel_post_init"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ..nn_modules.qlinear import BaseQuantLinear

if TYPE_CHECKING:
    from typing import Any

    from torch import nn


def hf_gptqmodel_post_init(model: nn.Module, use_act_order: bool, *_: Any, **__: Any) -> nn.Module:
    """Lays the weights of all layers as their kernels want them; unused blocks go back."""
    for module in model.modules():
        if isinstance(module, BaseQuantLinear):
            module.post_init()
    torch.cuda.empty_cache()
    return model


gptqmodel_post_init = hf_gptqmodel_post_init


def hf_convert_gptq_v1_to_v2_format(model: nn.Module, *_: Any, **__: Any) -> tuple:
    """Zero points change their values in place."""
    return model, any(getattr(module, "REQUIRES_FORMAT_V2", False) for module in model.modules())


def hf_convert_gptq_v2_to_v1_format(model: nn.Module, *_: Any, **__: Any) -> tuple:
    return model, False
